import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** In the journal's folder. */
export const HOLDER_FILE = 'holder.json';

/** What the file of a heartbeat says of whoever has the folder. */
export interface Holder {
  id: string;
  host: string;
  /** See {@link Machine}. */
  kernel: string;
  pid: number;
  /** It saw the folder as one on a disk of its own machine. */
  isOwn: boolean;
  beats: number;
}

/** Bytes. The file is always as long: who reads it while it is written finds all of it, and a full disk takes the next beat. */
const LENGTH = 512;

export function textOf(holder: Holder): string {
  return JSON.stringify(holder).padEnd(LENGTH);
}

/** Undefined where there is no file, or nothing in it, as after a power cut. */
export async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** @throws where there is none */
export function readHolderNow(path: string): Holder {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Whether there was no beat between the two. */
export function isSameBeat(one: Holder | undefined, other: Holder | undefined): boolean {
  return one?.id === other?.id && one?.beats === other?.beats;
}

export function nameOf(holder: Holder | undefined): string {
  return holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host}`;
}

/** Who keeps this process out of a folder: one that has just begun may not have said so yet, and the name be its predecessor's. */
export async function probableHolder(folder: string): Promise<string> {
  const holder = await readHolder(join(folder, HOLDER_FILE)).catch(() => undefined);
  return holder === undefined ? nameOf(undefined) : `another process, probably ${nameOf(holder)}`;
}

export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
