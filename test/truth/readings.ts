import { FAULT_KINDS, type FaultKind, VARIANT_VALUES, type Variants } from '../../src/simulator/index.js';
import type { Draw } from './draw.js';

/** Which reading of the service description the simulator plays in a seed, and which of its faults can strike. */

const VARIANTS_OF_TODAY: ReadonlySet<string> = new Set([
  'ping',
  'acceptedWithoutResultId',
  'terminalErrors',
  'beforeRecord',
  'reversedSale',
  'partialInStatus',
  'forcedReversal',
  'partialSpelling',
  'timestamps',
  'customFields',
  'httpStatus',
  'receipts',
  'signatures',
]);

const FAULTS_OF_TODAY_NAMES: ReadonlySet<string> = new Set([
  'request-lost',
  'connection-refused',
  'request-delayed',
  'request-duplicated',
  'server-error-before',
  'rate-limited',
  'answer-lost',
  'answer-delayed',
  'server-error-after',
  'broken-json',
  'error-shape',
  'callback-before-answer',
  'terminal-busy',
  'terminal-offline',
  'power-cut-awaiting-card',
  'power-cut-processing',
  'gateway-request-lost',
  'gateway-answer-lost',
  'gateway-answer-lost-then-reversed',
  'chip-pulled',
  'reversal-fails',
  'terminal-restart',
  'status-lag',
  'status-404',
  'status-undefined',
  'status-empty',
  'status-in-progress',
  'poll-404',
  'poll-unreadable',
  'poll-fails',
  'callback-lost',
  'callback-answer-lost',
  'callback-late',
  'callback-twice',
  'callback-tls-refused',
  'callback-reordered',
]);

const ENTRIES = Object.entries(VARIANT_VALUES) as [string, readonly [unknown, ...unknown[]]][];

export const FAULTS_OF_TODAY: readonly FaultKind[] = FAULT_KINDS.filter((kind) => FAULTS_OF_TODAY_NAMES.has(kind));

/** The readings that are not the default, as `name=value`. */
export const ALL_READINGS: readonly string[] = ENTRIES.flatMap(([name, [, ...others]]) =>
  others.map((value) => readingName(name, value)),
);

export function readingName(name: string, value: unknown): string {
  return `${name}=${String(value)}`;
}

/** The readings of a seed that differ from the default. */
export function readingsIn(variants: Partial<Variants>): string[] {
  const differing = ENTRIES.filter(([name, [first]]) => (variants[name as keyof Variants] ?? first) !== first);
  return differing.map(([name]) => readingName(name, variants[name as keyof Variants]));
}

export function readingsOfToday(draw: Draw): Partial<Variants> {
  const drawn = ENTRIES.filter(([name]) => VARIANTS_OF_TODAY.has(name)).map(([name, values]) => [
    name,
    draw.chance(0.7) ? values[0] : draw.pick(values),
  ]);
  return Object.fromEntries(drawn);
}

/** A random half of them is switched away from the default. */
export function hostileReadings(draw: Draw): Partial<Variants> {
  const drawn = ENTRIES.map(([name, [first, ...others]]) => {
    const [other = first, ...more] = others;
    return [name, draw.chance(0.5) ? draw.pick([other, ...more]) : first];
  });
  return Object.fromEntries(drawn);
}

/** A random half of them can strike. */
export function hostileFaults(draw: Draw): readonly FaultKind[] {
  return FAULT_KINDS.filter(() => draw.chance(0.5));
}
