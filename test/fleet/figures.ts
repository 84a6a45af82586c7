import { shareOf } from '../harness/share-of.js';
import type { Evidence } from './evidence.js';
import { groupedBy, tooFast } from './oracle.js';
import type { Told } from './told.js';

/** Of a number of times. */
export interface Times {
  count: number;
  p50: number;
  p99: number;
}

/** What happened, in numbers. */
export interface Figures {
  sales: number;
  followUps: number;
  /** Tries of clients. */
  messages: number;
  told: number;
  repeated: number;
  redelivered: number;
  corrections: number;
  /** What was told as not final, by code or outcome. */
  notFinal: Record<string, number>;
  charges: number;
  kills: number;
  freezes: number;
  restarts: number;
  /** Answers 503 of replicas to the balancer. */
  unavailable: number;
  /** Connections that ended without an answer. */
  lost: number;
  tooManyRequests: number;
  /** Requests above the rate of their key, outside 2 s after a restart of the database. */
  aboveRate: number;
  /** From the callback of a payment until the flow was told, ms: by one replica alone, by all in peace, and while they were struck. */
  callbackToMessageMs: { oneReplica: Times; fleet: Times; struck: Times };
  /** How long the bank had approved a sale before the flow was told, at most, s. */
  oldestUnknownSeconds: number;
  /** From a kill until another replica first told what the killed one had taken, and until it had told all of it, s. */
  killToFirstAnswerSeconds: Times;
  killToLastAnswerSeconds: Times;
}

export function figuresOf(evidence: Evidence): Figures {
  const { orders, told, seen, blows } = evidence;
  const results = told.filter(({ error }) => error === undefined);
  const sales = orders.filter(({ id, root }) => id === root).length;
  const count = (kind: string): number => blows.filter((blow) => blow.kind === kind).length;
  const taken = takenOver(evidence);
  return {
    sales,
    followUps: orders.length - sales,
    messages: orders.reduce((sum, { entries }) => sum + entries.length, 0),
    told: results.length,
    repeated: results.filter(({ repeated }) => repeated).length,
    redelivered: results.filter(({ redelivered }) => redelivered).length,
    corrections: results.filter(({ correction }) => correction).length,
    notFinal: notFinal(results),
    charges: seen.ledger.filter(({ kind }) => kind === 'charge' || kind === 'capture').length,
    kills: count('kill'),
    freezes: count('freeze'),
    restarts: count('restart'),
    unavailable: evidence.unavailable,
    lost: evidence.lost,
    tooManyRequests: seen.requests.filter(({ status }) => status === 429).length,
    aboveRate: tooFast(evidence).length,
    callbackToMessageMs: callbackToMessage(evidence, results),
    oldestUnknownSeconds: oldestUnknown(evidence, results),
    killToFirstAnswerSeconds: timesOf(taken.map(({ first }) => first / 1000)),
    killToLastAnswerSeconds: timesOf(taken.map(({ last }) => last / 1000)),
  };
}

function notFinal(results: readonly Told[]): Record<string, number> {
  const open = groupedBy(
    results.filter(({ final }) => final === false),
    ({ outcome = '' }) => outcome,
  );
  return Object.fromEntries([...open].map(([outcome, lines]) => [outcome, lines.length]));
}

function callbackToMessage(
  { seen, joinedAt, struckAt }: Evidence,
  results: readonly Told[],
): Figures['callbackToMessageMs'] {
  const calledAt = new Map<string, number>();
  for (const { at, reference } of seen.callbacks) if (!calledAt.has(reference)) calledAt.set(reference, at);
  const heard = new Map<string, Told>();
  for (const line of results) {
    const { reference = '' } = line;
    const before = heard.get(reference);
    if (before === undefined || line.at < before.at) heard.set(reference, line);
  }
  const late = [...heard].flatMap(([reference, { at }]) => {
    const called = calledAt.get(reference);
    // A poll may have been quicker.
    return called === undefined ? [] : [{ called, ms: Math.max(0, at - called) }];
  });
  const between = (from: number, until: number): Times =>
    timesOf(late.filter(({ called }) => called >= from && called < until).map(({ ms }) => ms));
  return {
    oneReplica: between(0, joinedAt),
    fleet: between(joinedAt, struckAt),
    struck: between(struckAt, Number.POSITIVE_INFINITY),
  };
}

function oldestUnknown({ seen, recorded }: Evidence, results: readonly Told[]): number {
  const toldAt = new Map<string, number>();
  for (const { order, at } of results) toldAt.set(order, Math.min(at, toldAt.get(order) ?? at));
  const approvedAt = new Map(
    seen.ledger.map(({ customerReference, kind, at }) => [`${customerReference} ${kind}`, at]),
  );
  const ages = recorded.map(({ order }) => (toldAt.get(order) ?? 0) - (approvedAt.get(`${order} charge`) ?? Infinity));
  return Math.max(0, ...ages) / 1000;
}

/** For each kill that left something to others: when they told the first and the last of it, ms after the kill. */
function takenOver({ blows, handed, told }: Evidence): { first: number; last: number }[] {
  const byEntry = groupedBy(told, ({ entry }) => entry);
  return blows.flatMap(({ kind, life, at }) => {
    if (kind !== 'kill' || life === undefined) return [];
    const left = [...handed]
      .filter(([, lives]) => lives.at(-1) === life)
      .map(([entry]) => byEntry.get(entry)?.find(({ error }) => error === undefined))
      .filter((line) => line !== undefined && line.life !== life && line.at > at)
      .map((line) => (line?.at ?? 0) - at);
    return left.length === 0 ? [] : [{ first: Math.min(...left), last: Math.max(...left) }];
  });
}

export function timesOf(values: readonly number[]): Times {
  const rounded = (part: number): number => Number(shareOf(values, part).toFixed(2));
  return { count: values.length, p50: rounded(0.5), p99: rounded(0.99) };
}
