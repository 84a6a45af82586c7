import type { LedgerEntry } from '../../src/simulator/index.js';
import { money, sequence } from '../truth/kill/oracle.js';
import type { Balance } from '../truth/ledger.js';
import type { Placed } from './customers.js';
import type { Evidence, Recorded } from './evidence.js';
import type { Kind } from './flow.js';
import type { Told } from './told.js';

const ENTRIES: Readonly<Record<Kind, LedgerEntry['kind']>> = {
  sale: 'charge',
  hold: 'hold',
  refund: 'refund',
  reversal: 'reversal',
  tip: 'tip',
  capture: 'capture',
};

const SUCCESS = new Set(['approved', 'partial', 'refunded', 'completed']);

/** The order that a follow-up is about; the service gives some follow-ups the reference of that. */
function rootOf(reference: string): string {
  return reference.split('.')[0] ?? reference;
}

/** Compares the bank, the journal and what everybody was told; says everything that does not agree. */
export function judgeFleet(evidence: Evidence): string[] {
  const byOrder = groupedBy(evidence.told, ({ order }) => order);
  const recordedOf = groupedBy(evidence.recorded, ({ order }) => order);
  const entriesOf = groupedBy(evidence.seen.ledger, ({ customerReference }) => rootOf(customerReference));
  const violations = evidence.orders.flatMap((order) => {
    const told = byOrder.get(order.id) ?? [];
    const recorded = recordedOf.get(order.id) ?? [];
    const entries = (entriesOf.get(order.root) ?? []).filter(({ kind }) => kind === ENTRIES[order.kind]);
    return [...judgeOrder(order, told, recorded, entries), ...judgeMessages(order, told, recorded, evidence)];
  });
  const known = new Set(evidence.orders.map(({ id }) => id));
  for (const { order } of evidence.told)
    if (!known.has(order)) violations.push(`${order} was told, and nobody sent it`);
  for (const { customerReference: id, kind } of evidence.seen.ledger) {
    if (!known.has(id)) violations.push(`the bank has a ${kind} of ${id}, and nobody ordered it`);
  }
  for (const { entry, lives } of unheard(evidence)) {
    violations.push(`message ${entry} went to ${lives.join(', ')}, and nothing was ever told`);
  }
  return [...violations, ...tooFast(evidence).map((at) => `a key was above its rate at ${new Date(at).toISOString()}`)];
}

/** The messages that a life had which was not killed, and of which nothing was told so far. */
export function unheard({
  orders,
  told,
  handed,
  blows,
}: Pick<Evidence, 'orders' | 'told' | 'handed' | 'blows'>): { entry: string; lives: readonly string[] }[] {
  const killed = new Set(blows.filter(({ kind }) => kind === 'kill').map(({ life }) => life));
  const heard = new Set(told.map(({ entry }) => entry));
  return orders
    .flatMap(({ entries }) => entries)
    .map((entry) => ({ entry, lives: handed.get(entry) ?? [] }))
    .filter(({ entry, lives }) => !heard.has(entry) && lives.some((life) => !killed.has(life)));
}

/** When a key made more requests within a second than it may, outside 2 s after a restart of the database. Epoch ms. */
export function tooFast({ seen, blows, rate }: Pick<Evidence, 'seen' | 'blows' | 'rate'>): number[] {
  if (rate === 0) return [];
  const excused = blows.filter(({ kind }) => kind === 'restart');
  return [...groupedBy(seen.requests, ({ key }) => key).values()].flatMap((requests) => {
    const times = requests.map(({ at }) => at).sort((a, b) => a - b);
    const over = times.filter((at, place) => at - (times[place - rate] ?? Number.NEGATIVE_INFINITY) < 1000);
    return over.filter((at) => !excused.some((blow) => at >= blow.at && at <= blow.until + 2000));
  });
}

function* judgeOrder(
  { id, kind, amount, answer, wentHome }: Placed,
  told: readonly Told[],
  recorded: readonly Recorded[],
  entries: readonly LedgerEntry[],
): Generator<string> {
  if (answer === undefined && !wentHome) yield `${id}: the client never had an answer`;
  if (answer?.code !== undefined) yield `${id}: a mistake, ${answer.code}`;
  if (entries.length > 1) yield `${id}: ${entries.length} times a ${kind} at the bank`;
  if (entries.length > 0 && recorded.length === 0) yield `${id}: the bank has it, and the journal does not`;
  for (const { closed, operationId } of recorded) if (!closed) yield `${id}: ${operationId} is left open`;
  const attempts = [...recorded].sort((a, b) => a.attempt - b.attempt);
  for (const [place, { operationId, startedAt }] of attempts.entries()) {
    // What came before and after it is another attempt's.
    const since = place === 0 ? 0 : startedAt;
    const until = attempts[place + 1]?.startedAt ?? Number.POSITIVE_INFINITY;
    const own = entries.filter(({ at }) => at >= since && at < until);
    const lines = told.filter((line) => line.operationId === operationId).sort((a, b) => a.at - b.at);
    const success = lines.find(({ outcome = '' }) => SUCCESS.has(outcome));
    if (success && place + 1 < attempts.length) yield `${id}: tried again after ${success.outcome}`;
    yield* money(id, lines, own, (line, balance) => disagreement(kind, amount, line, balance));
  }
}

/** What the bank should have, where it has something else. */
function disagreement(
  kind: Kind,
  amount: number,
  { outcome = '', total, hold }: Told,
  balance: Balance,
): string | undefined {
  const done = SUCCESS.has(outcome);
  const bank = kind === 'hold' ? balance.held : Math.abs(balance.moved);
  // The answer to a reversal, or to a tip, may not name what it moved.
  const said = kind === 'hold' ? hold : kind === 'tip' || kind === 'reversal' ? amount : total;
  const expected = done ? (said ?? amount) : 0;
  return bank === expected ? undefined : String(expected);
}

function* judgeMessages(
  { id, entries }: Placed,
  told: readonly Told[],
  recorded: readonly Recorded[],
  { handed, repeats, blows }: Evidence,
): Generator<string> {
  for (const entry of entries) {
    const lines = told.filter((line) => line.entry === entry).sort((a, b) => a.at - b.at);
    const results = lines.filter(({ error }) => error === undefined);
    const mistakes = lines.length - results.length;
    const isRecorded = recorded.some((operation) => operation.entry === entry) || repeats.includes(entry);
    const lives = handed.get(entry) ?? [];
    if (results.length === 0 && isRecorded)
      yield `${id}: message ${entry} is in the journal, and nothing was ever told`;
    // The balancer asks another replica after a refusal, so each may refuse it once.
    if (mistakes > lives.length) yield `${id}: message ${entry} came to Catch ${mistakes} times`;
    yield* sequence(`${id}: message ${entry}`, results, blows.length);
  }
}

export function groupedBy<T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(key(one));
    if (group === undefined) groups.set(key(one), [one]);
    else group.push(one);
  }
  return groups;
}
