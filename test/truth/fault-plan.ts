import {
  FAULT_MOMENTS,
  type FaultKind,
  type FaultPlan,
  MIX_UP_KINDS,
  type Moment,
  READING_FAULT_KINDS,
} from '../../src/simulator/index.js';
import type { Draw } from './draw.js';
import type { Focus } from './scenario.js';

/** Some of them say whether anything was done. */
const READINGS: ReadonlySet<string> = new Set([...READING_FAULT_KINDS, ...MIX_UP_KINDS]);
const SHAPES = ['flat', 'nested', 'text', 'status'] as const;
const STATUSES = [500, 502, 503, 504] as const;

/** Nobody can undo that a network delivers these twice: the service does not recognise the second, and we see one answer. */
const ADDS_UP = ['POST /moto/sale', 'POST /moto/refund', 'POST /preauthorization/increase'];

/**
 * A record may be missing from an answer, and not from the next one that arrives too: that is all that a second question can
 * find out.
 */
const MISSING = 'status-record-missing';

/** A record that nobody was ever shown vanishes for nobody: that there was one no question can find out. */
const GONE = 'status-record-gone';

/** At every moment at which something of `kinds` can go wrong, something does: with this probability, and in the focus half of the time. */
export function chaos(draw: Draw, rate: number, focus: Focus | undefined, kinds: readonly FaultKind[]): FaultPlan {
  const byMoment = new Map<Moment, FaultKind[]>();
  for (const kind of kinds) {
    const moment = FAULT_MOMENTS[kind];
    const known = byMoment.get(moment);
    if (known === undefined) byMoment.set(moment, [kind]);
    else known.push(kind);
  }
  const struck = new Map<string, boolean>();
  const missing = new Set<string>();
  let onItsWay: string | undefined;
  const seen = new Set<string>();
  const decide: FaultPlan = ({ moment, endpoint = moment, operation, serial = '', reference = '' }) => {
    const isLookedUp = moment === FAULT_MOMENTS[MISSING];
    const wasMissing = isLookedUp && missing.delete(reference);
    const shown = moment === 'answer' ? onItsWay : undefined;
    if (isLookedUp || moment === 'answer') onItsWay = wasMissing ? reference : undefined;
    if (focus?.sparesStops && operation === 'stopCurrentTransaction') return undefined;
    const isFocus = endpoint === focus?.at;
    const isThere = isFocus || endpoint === focus?.alsoAt;
    // Seeds that are kept play what they played before the bank could change its mind there.
    if (moment === 'decision' && endpoint === 'POST /moto/sale' && !isFocus) return undefined;
    if (!draw.chance(isThere ? (focus?.isRelentless ? 0.7 : 0.5) : rate)) return undefined;
    const possible = byMoment.get(moment) ?? [];
    const [first, ...others] = (isFocus && focus.only?.filter((kind) => possible.includes(kind))) || possible;
    if (first === undefined) return undefined;
    const kind = draw.pick([first, ...others]);
    if (kind === 'request-duplicated' && ADDS_UP.includes(endpoint)) return undefined;
    if (kind === GONE && !seen.has(reference)) return undefined;
    if (kind === MISSING) {
      if (wasMissing) return undefined;
      missing.add(reference);
    }
    if (isFocus && focus.isNeverTwice && kind === focus.only?.[0]) {
      struck.set(serial, !struck.get(serial));
      if (!struck.get(serial)) return undefined;
    }
    if (shown !== undefined) missing.add(shown);
    const isReading = READINGS.has(kind);
    return {
      kind,
      ...(isReading ? { isDone: draw.chance(0.5) } : {}),
      ms: draw.scale(...latenessAt(focus, isFocus, isThere, draw.chance(0.05))),
      status: draw.pick(STATUSES),
      variant: draw.pick(SHAPES),
    };
  };
  return watchedBy(seen, decide);
}

/** How late an answer or a callback may be, ms. */
function latenessAt(
  focus: Focus | undefined,
  isFocus: boolean,
  isThere: boolean,
  isVeryLate: boolean,
): [from: number, to: number] {
  if (isThere && focus?.isSecondsLate) return [2000, 18_000];
  if (isFocus && focus?.isHoursLate) return [15 * 60_000, 3_600_000];
  if (isThere && focus?.isHardlyLate) return [1_000, 8_000];
  const isHasty = (isFocus && focus?.isHasty) || (isThere && focus?.isRelentless);
  return [isHasty ? 10_000 : 1, isVeryLate ? 3_600_000 : 90_000];
}

/** Notes in `seen` of which references a record was shown in an answer that arrived. */
function watchedBy(seen: Set<string>, decide: FaultPlan): FaultPlan {
  let shown: string | undefined;
  return (circumstance) => {
    const fault = decide(circumstance);
    const { moment, reference } = circumstance;
    if (moment === 'answer' && shown !== undefined && fault === undefined) seen.add(shown);
    const isShown = moment === FAULT_MOMENTS[GONE] && (fault === undefined || fault.kind === GONE);
    if (isShown || moment === 'answer') shown = isShown ? reference : undefined;
    return fault;
  };
}
