#!/usr/bin/env node
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { JournalError } from '../core/base/errors.js';
import { FILE } from '../core/journal/lmdb/folder.js';
import { lockFolder } from '../core/journal/lmdb/lock/folder-lock.js';
import { checkJournal } from './check.js';
import { compactJournal } from './compact.js';
import { exportLines } from './export.js';
import { mustNotBeForeign } from './form.js';

const HELP = `Usage: cloud-terminal-journal <command> <folder>

Looks into the journal of payments in a folder. Stop the Node-RED that uses it first, or work on a copy
that was made while it was stopped.

  check     proves structure, checksums and index, and changes nothing; exit code 1 if anything is damaged
  export    prints every record as a line of JSON, without secrets and without what the messages carried,
            then what people said about payments; also of a file that was moved aside: export <folder>/journal.mdb.damaged-1;
            "perhapsOutdated" marks a record whose latest version is damaged
  compact   gives the space of pruned records back to the disk

A journal that a newer or an earlier version of the package wrote is refused by all three and left as it is.
`;

type Command = (path: string) => Promise<void>;

const COMMANDS: Readonly<Record<string, Command>> = { check, export: exportAll, compact };

async function main([name = '', path]: string[]): Promise<void> {
  const command = COMMANDS[name];
  if (command === undefined || path === undefined) {
    process.stdout.write(HELP);
    process.exitCode = name === '--help' ? 0 : 2;
    return;
  }
  try {
    await command(path);
  } catch (error) {
    process.stderr.write(`${error instanceof JournalError ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function check(folder: string): Promise<void> {
  const { records, open, damage } = await locked(folder, () => checkJournal(folder));
  for (const line of damage) say(line);
  say(damage.length === 0 ? `sound: ${records} records, ${open} of them open` : 'damaged: export what is left of it');
  if (damage.length > 0) process.exitCode = 1;
}

async function exportAll(path: string): Promise<void> {
  const isFolder = (await statOf(path)).isDirectory();
  const print = async (file: string): Promise<void> => {
    mustNotBeForeign(file);
    for (const line of exportLines(file, warn)) process.stdout.write(line);
  };
  await (isFolder ? locked(path, () => print(join(path, FILE))) : print(path));
}

async function compact(folder: string): Promise<void> {
  await locked(folder, async () => {
    const { damage } = await checkJournal(folder);
    if (damage.length > 0) throw new JournalError(`it is damaged, and was left as it is: ${damage[0]}`);
    const { before, after } = await compactJournal(folder);
    say(`${megabytes(before)} before, ${megabytes(after)} now`);
  });
}

/** @throws JournalError where it is not there */
function statOf(path: string): Promise<Stats> {
  return stat(path).catch((error) => {
    throw error.code === 'ENOENT' ? new JournalError(`there is no ${path}: name the folder that holds ${FILE}`) : error;
  });
}

/** @throws JournalError where there is no journal, or a Node-RED has the folder */
async function locked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await statOf(join(folder, FILE));
  const lock = await lockFolder(folder);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main(process.argv.slice(2));
