import { JournalError } from '../../../base/errors.js';

/** @param who uses the folder, as far as that is known */
export function inUse(folder: string, who: string): JournalError {
  return new JournalError(
    `the journal in ${folder} is used by ${who}. Two would charge what is open there twice: stop the other one, give each ` +
      'Node-RED a journal folder of its own, or let all of them share one journal in PostgreSQL',
  );
}
