import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import { lockFolder } from '../../../src/core/journal/lmdb/lock/folder-lock.js';
import { lockByKernel } from '../../../src/core/journal/lmdb/lock/kernel-lock.js';
import { thisMachine } from '../../../src/core/journal/lmdb/lock/machine.js';
import { NOBODY, saidAsNobody } from '../../harness/as-nobody.js';
import { machine, NEVER_WAITS, QuickClock } from './machines.js';

const base = mkdtemp(join(tmpdir(), 'lock-'));
after(async () => rm(await base, { recursive: true }));
const newFolder = async (): Promise<string> => mkdtemp(join(await base, 'f-'));

const sockets = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sock'));

/** A socket as a killed process leaves it. */
function leaveSocket(folder: string, name = 'lock-00000000.sock'): void {
  const address = join(folder, name);
  const listen = `require('node:net').createServer().listen(${JSON.stringify(address)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', listen]);
}

/** Locks the folder as another user, and says what came of it. */
function lockAsNobody(folder: string): string {
  const call = "lockFolder(process.env.FOLDER).then((lock) => lock.release()).then(() => 'released')";
  return saidAsNobody('core/journal/lmdb/lock/folder-lock.ts', call, folder);
}

describe('the lock of a folder', () => {
  it('is one at a time, and free once it was released', async () => {
    const folder = await newFolder();
    const lock = await lockFolder(folder);
    await assert.rejects(
      lockFolder(folder),
      (error) => error instanceof JournalError && /used by another process.* in PostgreSQL/.test(error.message),
    );
    await lock.release();
    assert.deepEqual(await sockets(folder), []);
    await (await lockFolder(folder)).release();
  });

  it('is free once it was released, also where its file could not be read at that moment', async () => {
    const folder = await newFolder();
    const lock = await lockFolder(folder);
    // Stands for EIO or ESTALE of a network disk.
    await rm(join(folder, 'holder.json'));
    await mkdir(join(folder, 'holder.json'));
    await assert.rejects(lock.release(), { code: 'EISDIR' });
    await rm(join(folder, 'holder.json'), { recursive: true });
    assert.deepEqual(await sockets(folder), []);
    await (await lockFolder(folder)).release();
  });

  it('does not outlive its process', async () => {
    const folder = await newFolder();
    leaveSocket(folder);
    assert.equal((await sockets(folder)).length, 1);
    const lock = await lockFolder(folder);
    assert.equal((await sockets(folder)).length, 1, 'what was left behind is gone');
    await lock.release();
  });

  it('is had at once after its process was killed', async () => {
    const folder = await newFolder();
    const locker = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'locker.ts'), folder]);
    await once(locker.stdout, 'data');
    locker.kill('SIGKILL');
    await once(locker, 'exit');
    assert.ok((await readdir(folder)).includes('holder.json'), 'it had no heartbeat');
    await (await lockFolder(folder, { ...thisMachine, clock: NEVER_WAITS })).release();
  });

  it('holds against another machine that shares the disk, and has its sockets left alone by that one', async () => {
    const folder = await newFolder();
    const host = machine(new QuickClock(), 'host', true);
    const guest = machine(new QuickClock(), 'guest');
    const lock = await lockFolder(folder, host);
    const [name = ''] = await sockets(folder);
    // A socket of another kernel refuses as a dead one does.
    const away = join(await newFolder(), 'socket');
    await rename(join(folder, name), away);
    leaveSocket(folder, name);
    await assert.rejects(lockFolder(folder, guest), /is used by process .* in PostgreSQL/);
    assert.deepEqual(await sockets(folder), [name]);
    await rename(away, join(folder, name));
    await assert.rejects(lockFolder(folder, host), /is used by another process/);
    lock.mustHold();
    await lock.release();
    assert.deepEqual(await readdir(folder), []);
  });

  it('is seen as lost where its socket was removed', async () => {
    const folder = await newFolder();
    const lock = await lockByKernel(folder);
    assert.equal(lock?.isHeld(), true);
    for (const name of await sockets(folder)) await rm(join(folder, name));
    assert.equal(lock?.isHeld(), false);
    await lock?.release();
  });

  it('names the socket of another user, and what to do about it', { skip: process.getuid?.() !== 0 }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'lock-'));
    t.after(() => rm(folder, { recursive: true }));
    await chown(folder, NOBODY, NOBODY);
    leaveSocket(folder);
    const socket = join(folder, 'lock-00000000.sock');
    const said = lockAsNobody(folder);
    assert.ok(said.includes(`${socket} is another user's, and this one may not use it (EACCES)`), said);
    assert.match(said, /make this user the owner of all files in the folder$/);
    assert.deepEqual(await sockets(folder), ['lock-00000000.sock']);
    await chown(socket, NOBODY, NOBODY);
    assert.equal(lockAsNobody(folder), 'released');
  });

  it('is never had by two, however many come at once after a crash', async () => {
    const folder = await newFolder();
    for (let round = 0; round < 20; round++) {
      leaveSocket(folder);
      const tries = await Promise.allSettled(Array.from({ length: 6 }, () => lockFolder(folder)));
      const got = tries.filter((result) => result.status === 'fulfilled');
      assert.ok(got.length <= 1, `${got.length} of 6 have it`);
      for (const { value } of got) await value.release();
    }
    await (await lockFolder(folder)).release();
  });

  it('holds in a folder whose path is longer than a socket may have', async () => {
    const folder = join(await newFolder(), 'x'.repeat(120));
    await mkdir(folder);
    const lock = await lockFolder(folder);
    await assert.rejects(lockFolder(folder), JournalError);
    await lock.release();
    await (await lockFolder(folder)).release();
  });
});
