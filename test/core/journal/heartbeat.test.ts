import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { JournalError } from '../../../src/core/base/errors.js';
import { Heartbeat } from '../../../src/core/journal/lmdb/lock/heartbeat.js';
import { machine, NEVER_WAITS, QuickClock } from './machines.js';

const base = mkdtemp(join(tmpdir(), 'heartbeat-'));
after(async () => rm(await base, { recursive: true }));
const newFolder = async (): Promise<string> => mkdtemp(join(await base, 'f-'));
const holderIn = (folder: string): string => join(folder, 'holder.json');

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setTimeout(20);
}

/** Whether the kernel keeps out other processes of the machine. */
const LOCKED = (): boolean => true;
const UNLOCKED = (): boolean => false;

/** As a process on another machine leaves it that had no time to say good-bye. */
async function leaveHolder(folder: string, isOwn = false): Promise<void> {
  const other = { id: 'other', host: 'machine-b', kernel: 'kernel-b', pid: 7, isOwn, beats: 3 };
  await writeFile(holderIn(folder), JSON.stringify(other));
}

describe('the heartbeat in a folder that several machines may share', () => {
  it('keeps a second one out, names the first, and goes with it', async () => {
    const folder = await newFolder();
    const first = await Heartbeat.start(folder, UNLOCKED, machine());
    await assert.rejects(Heartbeat.start(folder, UNLOCKED, machine()), (error) => {
      assert.ok(error instanceof JournalError);
      assert.match(
        error.message,
        new RegExp(`is used by process ${process.pid} on .*give each Node-RED a journal folder .* in PostgreSQL`),
      );
      return true;
    });
    first.mustHold();
    await first.stop();
    assert.equal(existsSync(holderIn(folder)), false);
    await (await Heartbeat.start(folder, UNLOCKED, machine())).stop();
  });

  it('of a machine that is gone is watched, and then taken over', async () => {
    const folder = await newFolder();
    await leaveHolder(folder);
    const clock = new QuickClock();
    const begun = clock.now();
    const mine = await Heartbeat.start(folder, LOCKED, machine(clock));
    assert.ok(clock.now() - begun >= 25_000, 'it was taken over without a look');
    assert.equal(JSON.parse(await readFile(holderIn(folder), 'utf8')).pid, process.pid);
    await mine.stop();
  });

  it('of a dead process of this machine is taken over at once, where the kernel keeps the living out', async () => {
    const folder = await newFolder();
    const dead = await Heartbeat.start(folder, LOCKED, machine());
    const holder = await readFile(holderIn(folder), 'utf8');
    await dead.stop();
    await writeFile(holderIn(folder), holder);
    await (await Heartbeat.start(folder, LOCKED, machine(NEVER_WAITS))).stop();
  });

  it('of this machine before it was restarted is taken over at once: its disk is its own', async () => {
    const folder = await newFolder();
    await leaveHolder(folder, true);
    await (await Heartbeat.start(folder, LOCKED, machine(NEVER_WAITS, 'kernel-a', true))).stop();
  });

  for (const [holder, isHoldersOwn] of [
    ['the machine whose disk it is', true],
    ['one that shares the disk', false],
  ] as const) {
    it(`of ${holder} keeps the other one out, which sees the disk otherwise`, async () => {
      const folder = await newFolder();
      const first = await Heartbeat.start(folder, LOCKED, machine(new QuickClock(), 'kernel-a', isHoldersOwn));
      const other = machine(new QuickClock(), 'kernel-b', !isHoldersOwn);
      await assert.rejects(Heartbeat.start(folder, LOCKED, other), /is used by process .* in PostgreSQL/);
      first.mustHold();
      await first.stop();
    });
  }

  it('of a machine that slept goes on at once on a disk of its own, and only where nobody has taken it', async () => {
    const folder = await newFolder();
    const clock = new QuickClock();
    const slept = await Heartbeat.start(folder, LOCKED, machine(clock, 'kernel-a', true));
    clock.isFrozen = true;
    clock.sleep(60_000);
    slept.mustHold();
    const other = { id: 'other', host: 'machine-b', kernel: 'kernel-b', pid: 7, isOwn: false, beats: 3 };
    await writeFile(holderIn(folder), JSON.stringify(other));
    slept.mustHold();
    clock.sleep(60_000);
    assert.throws(() => slept.mustHold(), /could not be held/);
    await slept.stop();
  });

  it('on a disk that others share is not waited for after a sleep', async () => {
    const folder = await newFolder();
    const clock = new QuickClock();
    const slept = await Heartbeat.start(folder, LOCKED, machine(clock));
    clock.isFrozen = true;
    clock.sleep(60_000);
    assert.throws(() => slept.mustHold(), /could not be held/);
    await slept.stop();
  });

  it('whose file was removed is written anew and told, where nobody can have had the folder meanwhile', async () => {
    const folder = await newFolder();
    const told: string[] = [];
    const mine = await Heartbeat.start(folder, LOCKED, machine(new QuickClock(5), 'kernel-a', true));
    mine.hear((notice) => told.push(notice));
    await rm(holderIn(folder));
    await until(() => told.length > 0);
    assert.deepEqual(told, [
      `${holderIn(folder)} was removed while the journal was in use, and was written anew: leave it alone`,
    ]);
    assert.equal(JSON.parse(await readFile(holderIn(folder), 'utf8')).pid, process.pid);
    mine.mustHold();
    await mine.stop();
    assert.equal(existsSync(holderIn(folder)), false);
  });

  for (const [where, isLocked, isOwn] of [
    ['on a disk that others share', LOCKED, false],
    ['where the kernel keeps nobody out any more', UNLOCKED, true],
  ] as const) {
    it(`whose file was removed lets it write no more ${where}, and says why`, async () => {
      const folder = await newFolder();
      const mine = await Heartbeat.start(folder, isLocked, machine(new QuickClock(5), 'kernel-a', isOwn));
      await rm(holderIn(folder));
      let refusal = '';
      await until(() => {
        try {
          mine.mustHold();
        } catch (error) {
          refusal = String(error);
        }
        return refusal !== '';
      });
      assert.match(refusal, /holder\.json in it was removed or emptied while the journal was in use; restart$/);
      assert.equal(existsSync(holderIn(folder)), false);
      await mine.stop();
    });
  }

  it('that a power cut left empty keeps nobody out', async () => {
    const folder = await newFolder();
    await writeFile(holderIn(folder), '');
    await (await Heartbeat.start(folder, UNLOCKED, machine())).stop();
  });

  it('is never had by two that find the same dead holder', async () => {
    const folder = await newFolder();
    await leaveHolder(folder);
    const tries = await Promise.allSettled(
      Array.from({ length: 5 }, () => Heartbeat.start(folder, UNLOCKED, machine())),
    );
    const got = tries.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const holding = got.filter((heartbeat) => {
      try {
        heartbeat.mustHold();
        return true;
      } catch {
        return false;
      }
    });
    assert.ok(holding.length <= 1, `${holding.length} hold it`);
    for (const heartbeat of got) await heartbeat.stop();
  });

  it('of a process that was frozen lets it write no more, and says who has the folder', async () => {
    const folder = await newFolder();
    const clock = new QuickClock();
    const frozen = await Heartbeat.start(folder, UNLOCKED, machine(clock));
    clock.isFrozen = true;
    const next = await Heartbeat.start(folder, UNLOCKED, machine());
    assert.throws(() => frozen.mustHold(), /could not be held/);
    next.mustHold();
    await frozen.stop();
    assert.ok(existsSync(holderIn(folder)), 'it took the file of the other one away');
    await next.stop();
  });
});
