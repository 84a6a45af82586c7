import { enqueueVerdict } from '../../operation/delivery-state.js';
import { learn } from './learn.js';
import type { Effect, EventType, LifecycleEvent, LifecycleState, Phase } from './state.js';
import { TRANSITIONS, type Transition } from './transitions.js';

export * from './state.js';
export { TRANSITIONS } from './transitions.js';

export interface Step {
  state: LifecycleState;
  effects: readonly Effect[];
  /** Id of the row that decided; absent when the event only added to what is known. */
  transition?: string;
}

/** The next state, and what has to be done for it. */
export function step(before: LifecycleState, event: LifecycleEvent, now: number): Step {
  const state = learn(before, event, now);
  const row = rowsFor(state.phase, event.type).find(({ when }) => when === undefined || when(state, now, event));
  if (row === undefined) return { state, effects: [] };
  const next: LifecycleState = { ...state, phase: row.to, ...row.updates?.(state, now) };
  if (row.verdict !== undefined) Object.assign(next, enqueueVerdict(state, row.verdict(next, event)));
  return { state: next, effects: row.effects ?? [], transition: row.id };
}

const rowsByPhaseAndEvent = new Map<string, readonly Transition[]>();

function rowsFor(phase: Phase, event: EventType): readonly Transition[] {
  const key = `${phase} ${event}`;
  const known = rowsByPhaseAndEvent.get(key);
  if (known !== undefined) return known;
  const rows = TRANSITIONS.filter(({ from, on }) => from.includes(phase) && on.includes(event));
  rowsByPhaseAndEvent.set(key, rows);
  return rows;
}

export type { Transition } from './transitions.js';
