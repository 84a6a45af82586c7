import type { Outcome, Source, Verdict } from './verdict.js';

/** What is owed to the flow, over the lives of several engines. */

export interface Debt {
  /** What the flow was told last, or is owed. */
  told?: Outcome;
  /** What that was because of, where there was an error. */
  why?: Verdict['error'];
  tellings?: number;
  owed?: Owed;
}

/** A new verdict. What was owed and certainly never handed over is replaced, not corrected. */
export function owe({ owed, told, tellings = 0 }: Debt, say: Pick<Owed, 'verdict' | 'source' | 'mistake'>): Debt {
  const correction = owed === undefined ? told !== undefined : owed.correction || owed.repeated === true;
  const telling = tellings + 1;
  const { outcome, error } = say.verdict;
  return { owed: { ...say, telling, correction }, tellings: telling, told: outcome, why: error };
}

/** The flow has been handed what was owed under a number. */
export function settleDebt(owed: Owed | undefined, telling: number): Owed | undefined {
  return owed?.telling === telling ? undefined : owed;
}

/** This engine stops, and has not handed it over. */
export function leaveUnheard(owed: Owed | undefined): Owed | undefined {
  return owed === undefined || owed.repeated ? owed : { ...owed, unheard: true };
}

/** The next engine takes it up: from now on it may be handed over at any moment. */
export function takeUpDebt(owed: Owed | undefined): Owed | undefined {
  if (owed === undefined) return undefined;
  const { unheard, ...rest } = owed;
  return unheard ? rest : { ...rest, repeated: true };
}

/** A verdict that the flow has not been told yet. */
export interface Owed {
  /** Counts the verdicts of an operation. */
  telling: number;
  verdict: Verdict;
  source: Source;
  correction: boolean;
  /** The flow or its configuration is at fault: Catch, not an output. */
  mistake?: boolean;
  /** Known not to have been handed over when its engine stopped. */
  unheard?: boolean;
  /** An earlier engine may have handed it over: it died before it could note that. */
  repeated?: boolean;
}
