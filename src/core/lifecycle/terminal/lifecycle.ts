import { owe } from '../../operation/delivery-state.js';
import { note } from './learn.js';
import type { Effect, EventType, LifecycleEvent, LifecycleState, Phase } from './state.js';
import { ROWS, type Row } from './transitions.js';

export * from './state.js';
export { ROWS } from './transitions.js';

export interface Step {
  state: LifecycleState;
  effects: readonly Effect[];
  /** Id of the row that decided; absent when the event only added to what is known. */
  row?: string;
}

/** The next state, and what has to be done for it. */
export function step(before: LifecycleState, event: LifecycleEvent, now: number): Step {
  const state = note(before, event, now);
  const row = rowsFor(state.phase, event.type).find(({ when }) => when === undefined || when(state, now, event));
  if (row === undefined) return { state, effects: [] };
  const next: LifecycleState = { ...state, phase: row.to, ...row.sets?.(state, now) };
  if (row.says !== undefined) Object.assign(next, owe(state, row.says(next, event)));
  return { state: next, effects: row.does ?? [], row: row.id };
}

const rowsByPhaseAndEvent = new Map<string, readonly Row[]>();

function rowsFor(phase: Phase, event: EventType): readonly Row[] {
  const key = `${phase} ${event}`;
  const known = rowsByPhaseAndEvent.get(key);
  if (known !== undefined) return known;
  const rows = ROWS.filter(({ from, on }) => from.includes(phase) && on.includes(event));
  rowsByPhaseAndEvent.set(key, rows);
  return rows;
}

export type { Row } from './transitions.js';
