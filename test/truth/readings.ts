import {
  FAULT_KINDS,
  type FaultKind,
  MISHAP_KINDS,
  MIX_UP_KINDS,
  READING_VALUES,
  READINGS,
  VARIANT_VALUES,
  type Variants,
} from '../../src/simulator/index.js';
import type { Draw } from './draw.js';

/** Which reading of the service description the simulator plays in a seed, and which of its faults can strike. */

type Values = readonly (readonly [name: string, values: readonly [unknown, ...unknown[]]])[];

const ALL_VALUES: Values = Object.entries(VARIANT_VALUES);
/** Of these a seed draws apart from the others, so that the seeds play what they played before these came. */
export const DRAWN_APART: ReadonlySet<string> = new Set([
  'acceptedStop',
  'customerReference',
  'pendingResult',
  'returnedAmount',
  'secondTry',
  'lastEntry',
  'returnEntry',
  'cancelledInPart',
  'repeatedText',
  'tipOriginal',
  'changeType',
  'issuerCodes',
  'printer',
  'reversalAfterRefund',
  'sleeper',
  'earlyTip',
  'refundBeyondRest',
  'tokenizedSale',
  'tipAfterReturn',
]);
export const RARELY = 0.15;

/** Nobody could recover from these among other faults. */
export const IN_SITUATIONS_ALONE: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'result-unreadable-unrecorded',
  'repeated-request-throttled',
  'result-without-id',
  'status-record-gone',
]);
const VALUES_OF_TODAY: Values = ALL_VALUES.filter(([name]) => !(name in READING_VALUES));

export const FAULTS_OF_TODAY: readonly FaultKind[] = MISHAP_KINDS;

/** Those that no payment of our client meets. */
const UNMET: ReadonlySet<string> = new Set(READINGS.flatMap(({ unmet = {} }) => Object.keys(unmet)));

const namesOf = (values: Values): string[] =>
  values.flatMap(([name, [, ...others]]) => others.map((value) => readingName(name, value)));

/** The readings that are not the default and that our client can meet, as `name=value`; and those that it cannot. */
export const MET_READINGS: readonly string[] = namesOf(ALL_VALUES.filter(([name]) => !UNMET.has(name)));
export const UNMET_READINGS: readonly string[] = namesOf(ALL_VALUES.filter(([name]) => UNMET.has(name)));

/** The readings of a seed that differ from the default, by the names of their switches. */
export function readingsIn(variants: Partial<Variants>): Map<string, string> {
  const chosen = (name: string): unknown => variants[name as keyof Variants];
  const others = ALL_VALUES.filter(([name, [first]]) => (chosen(name) ?? first) !== first);
  return new Map(others.map(([name]) => [name, readingName(name, chosen(name))]));
}

export function readingsOfToday(draw: Draw): Partial<Variants> {
  const drawn = VALUES_OF_TODAY.map(([name, values]) => [name, draw.chance(0.7) ? values[0] : draw.pick(values)]);
  return Object.fromEntries(drawn);
}

/** A random half of them is switched away from the default. @param apart what those draw from that are drawn apart */
export function hostileReadings(draw: Draw, apart: Draw): Partial<Variants> {
  const drawn = ALL_VALUES.map(([name, [first, ...others]]) => {
    const [other = first, ...more] = others;
    if (DRAWN_APART.has(name)) return [name, apart.chance(RARELY) ? apart.pick([other, ...more]) : first];
    return [name, draw.chance(0.5) ? draw.pick([other, ...more]) : first];
  });
  return Object.fromEntries(drawn);
}

/** All of these can strike in a seed, or none. They are drawn apart too. */
const MIX_UPS: ReadonlySet<FaultKind> = new Set<FaultKind>(MIX_UP_KINDS);

/** A random half of them can strike. */
export function hostileFaults(draw: Draw, apart: Draw): readonly FaultKind[] {
  const half = FAULT_KINDS.filter((kind) => !IN_SITUATIONS_ALONE.has(kind) && !MIX_UPS.has(kind) && draw.chance(0.5));
  return apart.chance(RARELY) ? [...half, ...MIX_UP_KINDS] : half;
}

/** What of all that can go wrong there piles up where a seed has its focus. */
export function canPileUp(kind: FaultKind, faults: readonly FaultKind[]): boolean {
  return !IN_SITUATIONS_ALONE.has(kind) && (!MIX_UPS.has(kind) || faults.includes(kind));
}

function readingName(name: string, value: unknown): string {
  return `${name}=${String(value)}`;
}
