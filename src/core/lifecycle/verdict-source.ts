import type { PendingDelivery } from '../operation/delivery-state.js';
import type { Source, Verdict } from '../operation/verdict.js';

/** What the flow is told when a transition is taken. */
export type VerdictSource<State, Event> = (
  state: State,
  event: Event,
) => Pick<PendingDelivery, 'verdict' | 'source' | 'mistake'>;

export const fixed =
  (verdict: Verdict, source: Source): VerdictSource<unknown, unknown> =>
  () => ({ verdict, source });
