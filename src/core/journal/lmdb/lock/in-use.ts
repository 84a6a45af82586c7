import { JournalError } from '../../../base/errors.js';

/** @param who uses the folder, as far as that is known */
export function inUse(folder: string, who: string): JournalError {
  return new JournalError(
    `the journal in ${folder} is used by ${who}. Two would charge what is open there twice: stop the other one, give each ` +
      'Node-RED a journal folder of its own, or let all of them share one journal in PostgreSQL',
  );
}

/** @param socket of a process of another user, which may have ended */
export function mayNotAsk(socket: string): JournalError {
  return new JournalError(
    `whether a process still uses the journal cannot be seen: ${socket} is another user's, and this one may not use it (EACCES). ` +
      'Run Node-RED as that user; or, once no Node-RED of that user runs, make this user the owner of all files in the folder',
  );
}
