import type { When } from './conditions.js';
import type { Says } from './sayings.js';
import type { Effect, EventType, LifecycleState, Phase } from './state.js';

/** One line of the table: what happens when an event comes, and why. */
export interface Row {
  id: string;
  from: readonly Phase[];
  on: readonly EventType[];
  when?: When;
  to: Phase;
  does?: readonly Effect[];
  says?: Says;
  /** Changes of the state beside the phase. */
  sets?: (state: LifecycleState, now: number) => Partial<LifecycleState>;
  because: string;
}
