import { writeFileSync } from 'node:fs';
import { inspect } from 'node:util';

/** Changes that LMDB has been given and not answered, of all files of this process. */
const underWay = new Set<object>();
let isListening = false;
/** What ends the process, where nobody handles it: Node prints it only after the listeners for the exit. */
let unhandled: { error: unknown } | undefined;

/**
 * LMDB's writer waits for the main thread in the middle of a transaction. A process that exits meanwhile, because of `process.exit()`
 * or an error that another node has thrown, waits for the writer in turn: it hangs for ever, and nobody starts it anew. So it ends here
 * as if it had been killed: nothing that rests on the transaction has been told or sent.
 * Called when LMDB is given a change; returns what to call when LMDB has answered it.
 */
export function noteChange(): () => void {
  if (!isListening) listen();
  const change = {};
  underWay.add(change);
  return () => {
    underWay.delete(change);
  };
}

function listen(): void {
  isListening = true;
  process.on('uncaughtExceptionMonitor', (error) => {
    if (process.listenerCount('uncaughtException') === 0) unhandled = { error };
  });
  // Where nothing is left to do, no writer is at work: LMDB will never answer.
  process.on('beforeExit', () => underWay.clear());
  process.on('exit', (code) => {
    if (underWay.size === 0) return;
    if (unhandled !== undefined) process.stderr.write(`${inspect(unhandled.error)}\n`);
    process.stderr.write(
      `The process exits (${code}) while the journal is written, and is killed: LMDB would let it hang for ever\n`,
    );
    process.kill(process.pid, 'SIGKILL');
    // The kernel keeps the first process of a container from that, and not from an abort.
    abort();
  });
}

/** Leaves no copy of its memory behind, which holds keys, also where the system keeps one of every process that aborts. */
function abort(): void {
  try {
    writeFileSync('/proc/self/coredump_filter', '0');
  } finally {
    process.abort();
  }
}
