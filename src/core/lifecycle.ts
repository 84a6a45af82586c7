import { note } from './lifecycle/note.js';
import { owe } from './lifecycle/owed.js';
import type { Row } from './lifecycle/row.js';
import { ROWS } from './lifecycle/rows.js';
import type { Effect, EventType, LifecycleEvent, LifecycleState, Phase } from './lifecycle/state.js';

/**
 * The life of one terminal operation, from recorded to settled, as a table. Pure: `step` takes a state, an event and
 * the time and returns the next state and what has to be done; it reads no clock, draws nothing and does no I/O.
 *
 * An event first adds to what is known (`note`); then the first row of `ROWS` whose phase, event and condition fit
 * decides. No row: what was learned is kept, and nothing else happens.
 */

export type { Row } from './lifecycle/row.js';
export { ROWS } from './lifecycle/rows.js';
export * from './lifecycle/state.js';

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
