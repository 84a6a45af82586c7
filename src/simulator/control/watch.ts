import type { Timer } from '../../core/base/seams.js';
import type { Simulator } from '../simulator.js';
import { type Cursor, type View, viewOf } from './view.js';

/** Changes within this period are sent together, ms. */
const GROUPING_MS = 40;

/** Sends the whole view at once, and then the news after every change. Returns the function that stops it. */
export function watch(simulator: Simulator, show: (view: View) => void): () => void {
  let after: Cursor = {};
  let pending: Timer | undefined;
  const look = (): void => {
    pending = undefined;
    const view = viewOf(simulator, after);
    after = {
      ledger: view.ledger.at(-1)?.seq ?? after.ledger,
      requests: view.requests.at(-1)?.seq ?? after.requests,
      callbacks: view.callbacks.at(-1)?.seq ?? after.callbacks,
    };
    show(view);
  };
  const unsubscribe = simulator.changes.subscribe(() => {
    pending ??= simulator.clock.after(GROUPING_MS, look);
  });
  look();
  return () => {
    unsubscribe();
    pending?.cancel();
  };
}
