import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import type { Clock } from '../../../src/core/base/seams.js';
import { Heartbeat } from '../../../src/core/journal/lmdb/lock/heartbeat.js';
import { systemClock } from '../../../src/core/platform/system-clock.js';

const base = mkdtemp(join(tmpdir(), 'heartbeat-'));
after(async () => rm(await base, { recursive: true }));
const newFolder = async (): Promise<string> => mkdtemp(join(await base, 'f-'));
const holderIn = (folder: string): string => join(folder, 'holder.json');

/** A clock that runs so many times as fast; a frozen process has one whose timers never come. */
class TestClock implements Clock {
  private readonly begun = systemClock.now();
  isFrozen = false;

  constructor(private readonly times: number) {}

  now(): number {
    return this.begun + (systemClock.now() - this.begun) * this.times;
  }

  wall(): number {
    return this.now();
  }

  after(ms: number, run: () => void) {
    return systemClock.after(ms / this.times, () => {
      if (!this.isFrozen) run();
    });
  }
}

const quick = (): TestClock => new TestClock(50);

/** As a process on another machine leaves it that had no time to say good-bye. */
async function leaveHolder(folder: string): Promise<void> {
  const other = { id: 'other', host: 'machine-b', kernel: 'kernel-b', pid: 7, beats: 3 };
  await writeFile(holderIn(folder), JSON.stringify(other));
}

describe('the heartbeat in a folder that several machines may share', () => {
  it('keeps a second one out, names the first, and goes with it', async () => {
    const folder = await newFolder();
    const first = await Heartbeat.start(folder, false, quick());
    await assert.rejects(Heartbeat.start(folder, false, quick()), (error) => {
      assert.ok(error instanceof JournalError);
      assert.match(
        error.message,
        new RegExp(`in use by process ${process.pid} on .*give each Node-RED a journal folder`),
      );
      return true;
    });
    first.mustHold();
    await first.stop();
    assert.equal(existsSync(holderIn(folder)), false);
    await (await Heartbeat.start(folder, false, quick())).stop();
  });

  it('of a machine that is gone is watched, and then taken over', async () => {
    const folder = await newFolder();
    await leaveHolder(folder);
    const clock = quick();
    const begun = clock.now();
    const mine = await Heartbeat.start(folder, true, clock);
    assert.ok(clock.now() - begun >= 25_000, 'it was taken over without a look');
    assert.equal(JSON.parse(await readFile(holderIn(folder), 'utf8')).pid, process.pid);
    await mine.stop();
  });

  it('of a dead process of this machine is taken over at once, where the kernel keeps the living out', async () => {
    const folder = await newFolder();
    const dead = await Heartbeat.start(folder, true, quick());
    const holder = await readFile(holderIn(folder), 'utf8');
    await dead.stop();
    await writeFile(holderIn(folder), holder);
    const neverWaits: Clock = { ...systemClock, after: () => ({ cancel: () => undefined }) };
    await (await Heartbeat.start(folder, true, neverWaits)).stop();
  });

  it('that a power cut left empty keeps nobody out', async () => {
    const folder = await newFolder();
    await writeFile(holderIn(folder), '');
    await (await Heartbeat.start(folder, false, quick())).stop();
  });

  it('is never had by two that find the same dead holder', async () => {
    const folder = await newFolder();
    await leaveHolder(folder);
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => Heartbeat.start(folder, false, quick())));
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
    const clock = quick();
    const frozen = await Heartbeat.start(folder, false, clock);
    clock.isFrozen = true;
    const next = await Heartbeat.start(folder, false, quick());
    assert.throws(() => frozen.mustHold(), /could not be held/);
    next.mustHold();
    await frozen.stop();
    assert.ok(existsSync(holderIn(folder)), 'it took the file of the other one away');
    await next.stop();
  });
});
