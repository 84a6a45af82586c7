import { changed } from '../base/objects.js';
import { type DeliveryState, enqueueVerdict } from '../operation/delivery-state.js';
import type { TimelineNote } from '../operation/event.js';
import type { Guard } from './guard.js';
import type { VerdictSource } from './verdict-source.js';

/** A state machine as a table of transitions. Pure: it says what has to be done, and does nothing. */

/** One line of the table: what happens when an event comes, and why. */
export interface Transition<Phase extends string, Event extends { type: string }, State, Effect extends string> {
  /** In kebab-case: what the timeline says of it. */
  id: string;
  from: readonly Phase[];
  on: readonly Event['type'][];
  when?: Guard<State, Event>;
  to: Phase;
  /** In this order; `save` is awaited before what follows it. */
  effects?: readonly Effect[];
  verdict?: VerdictSource<State, Event>;
  /** Changes of the state beside the phase. */
  updates?: (state: State, now: number, event: Event) => Partial<State>;
  /** What the timeline says beside the id. */
  parameters?: (state: State) => Omit<TimelineNote, 'event'>;
  because: string;
}

/** Transitions by phase and event, in the order in which they are tried. */
export type Table<Phase extends string, Event extends { type: string }, State, Effect extends string> = ReadonlyMap<
  string,
  readonly Transition<Phase, Event, State, Effect>[]
>;

export interface Step<State, Effect> {
  state: State;
  effects: readonly Effect[];
  /** The transition that was taken; absent when the event only added to what is known. */
  transition?: TimelineNote;
}

export function tableOf<Phase extends string, Event extends { type: string }, State, Effect extends string>(
  transitions: readonly Transition<Phase, Event, State, Effect>[],
): Table<Phase, Event, State, Effect> {
  const table = new Map<string, Transition<Phase, Event, State, Effect>[]>();
  for (const transition of transitions) {
    for (const phase of transition.from) {
      for (const type of transition.on) {
        const key = keyOf(phase, type);
        table.set(key, [...(table.get(key) ?? []), transition]);
      }
    }
  }
  return table;
}

/**
 * The next state, and what has to be done for it: the first transition that fits decides.
 * @param learn what an event teaches, whatever the phase
 * @param now epoch ms
 */
export function step<
  Phase extends string,
  Event extends { type: string },
  State extends DeliveryState & { phase: Phase },
  Effect extends string,
>(
  table: Table<Phase, Event, State, Effect>,
  learn: (state: State, event: Event, now: number) => State,
  before: State,
  event: Event,
  now: number,
): Step<State, Effect> {
  const state = learn(before, event, now);
  const fits = ({ when }: { when?: Guard<State, Event> }): boolean => when === undefined || when(state, now, event);
  const taken = table.get(keyOf(state.phase, event.type))?.find(fits);
  if (taken === undefined) return { state: state === before ? state : changed(state), effects: [] };
  const { id, to, updates, verdict, parameters, effects = [] } = taken;
  const next = changed(state, updates?.(state, now, event));
  next.phase = to;
  if (verdict !== undefined) Object.assign(next, enqueueVerdict(state, verdict(next, event)));
  return { state: next, effects, transition: { event: id, ...parameters?.(state) } };
}

function keyOf(phase: string, type: string): string {
  return `${phase} ${type}`;
}
