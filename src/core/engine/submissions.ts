import type { Clock } from '../base/seams.js';
import { TransientSet } from '../base/transient.js';
import type { OperationRecord } from '../journal/record.js';
import { soon } from '../platform/soon.js';

/** A payment is recorded within this time, but where its journal is in trouble. ms */
const RECORDED_WITHIN = 1000;

/** A message that is being recorded. */
export interface Submission {
  /** What would be begun; undefined until that is known. */
  record?: OperationRecord;
  /** Resolves with its id once it is recorded. */
  taken: Promise<string>;
}

/** The messages that an engine is recording. */
export class Submissions {
  private readonly pending = new TransientSet<Submission>();

  constructor(private readonly clock: Clock) {}

  get areNone(): boolean {
    return this.pending.size === 0;
  }

  /** @param take resolves with the id of the message once it is recorded */
  add(take: (noteRecord: (record: OperationRecord) => void) => Promise<string>): Promise<string> {
    const submission: Submission = {
      taken: take((record) => {
        submission.record = record;
      }),
    };
    const forget = this.pending.add(submission);
    submission.taken.then(forget, forget);
    return submission.taken;
  }

  /** Resolves once all of them have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.pending].map(({ taken }) => taken));
  }

  /** Waits for those that are there now, no longer than it usually takes. Resolves with the ones that are still left. */
  async settledSoon(): Promise<Submission[]> {
    const all = [...this.pending];
    await soon(this.clock, RECORDED_WITHIN, Promise.allSettled(all.map(({ taken }) => taken)));
    const pending = new Set(this.pending);
    return all.filter((one) => pending.has(one));
  }
}
