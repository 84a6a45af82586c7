import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '../../../base/seams.js';
import { newId } from '../../../platform/new-id.js';
import { systemClock } from '../../../platform/system-clock.js';
import { isOnOneMachine } from './local-disk.js';

/** The machine that a lock is taken on. A test has several. */
export interface Machine {
  /** Tells one run of a kernel from another. Host names repeat: in containers, and on machines that were cloned. */
  readonly kernel: string;
  readonly clock: Clock;
  /** Whether this machine sees a folder as one on a disk of its own. Others may see it as well, by a share of this machine. */
  hasAsOwn(folder: string): Promise<boolean>;
}

export const thisMachine: Machine = { kernel: kernelId(), clock: systemClock, hasAsOwn: isOnOneMachine };

function kernelId(): string {
  if (process.platform !== 'linux') return hostname();
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return newId();
  }
}
