import type { Journal } from '../../../../src/core/journal/journal.js';

/** Lets time pass for the age of a journal, ms. */
type Pass = (ms: number) => void;

/** Makes a test of what is done with an empty journal. */
export type WithJournal = (run: (journal: Journal, pass: Pass) => Promise<void>) => () => Promise<void>;

/** @param open gives an empty journal that counts its age by `clock` (ms) */
export function withJournalOf(open: (clock: () => number) => Promise<Journal>): WithJournal {
  return (run) => async () => {
    let now = 0;
    const journal = await open(() => now);
    try {
      await run(journal, (ms) => {
        now += ms;
      });
    } finally {
      await journal.close();
    }
  };
}
