import type { OperationRecord } from '../../../src/core/journal/record.js';
import type { LedgerEntry } from '../../../src/simulator/index.js';
import { spelt as amounts, type Balance, balanceOf } from '../ledger.js';

/** One line of the witness: what left a payment node, or came to Catch. Amounts in minor units. */
export interface Heard {
  /** Epoch ms. */
  at: number;
  order: string;
  outcome?: string;
  /** Of the error that the result has. */
  code?: string;
  moneyMoved?: string;
  final?: boolean;
  correction?: boolean;
  redelivered?: boolean;
  total?: number;
  /** To Catch. */
  error?: string;
}

export interface Evidence {
  /** Every order that was posted. */
  orders: readonly string[];
  heard: readonly Heard[];
  /** The journal once everything has ended. */
  records: readonly OperationRecord[];
  ledger: readonly LedgerEntry[];
  kills: number;
}

const MOVED = new Set(['approved', 'partial', 'refunded']);

/** Compares the bank, the journal and what the flow was told; says everything that does not agree. */
export function judgeKills(evidence: Evidence): string[] {
  const { orders, heard, records, ledger, kills } = evidence;
  const violations: string[] = [];
  const known = new Set(orders.flatMap((order) => [order, `${order}.1`]));
  for (const { order } of heard) if (!known.has(order)) violations.push(`${order} was told, and nobody sent it`);
  for (const order of orders) {
    const sale = ofOrder(order, heard, records);
    const chain = ledger.filter(({ customerReference }) => customerReference === order);
    // What came over no terminal is the reversal that the flow asked for.
    const entries = chain.filter(({ serial }) => serial !== '');
    const reversals = chain.filter(({ serial }) => serial === '');
    violations.push(...judgeOne(order, sale, entries, kills));
    violations.push(...judgeOne(`${order}.1`, ofOrder(`${order}.1`, heard, records), reversals, kills));
  }
  return violations;
}

interface OfOrder {
  heard: Heard[];
  records: OperationRecord[];
}

function ofOrder(order: string, heard: readonly Heard[], records: readonly OperationRecord[]): OfOrder {
  return {
    heard: heard.filter((line) => line.order === order),
    records: records.filter(({ origin }) => origin.message.order === order),
  };
}

function* judgeOne(
  order: string,
  { heard, records }: OfOrder,
  entries: readonly LedgerEntry[],
  kills: number,
): Generator<string> {
  const told = heard.filter(({ error }) => error === undefined);
  const charges = entries.filter(({ kind }) => kind === 'charge');
  if (charges.length > 1) yield `${order}: ${charges.length} charges`;
  if (records.length > 1) yield `${order}: recorded ${records.length} times`;
  if (heard.length > told.length && records.length > 0) yield `${order}: a mistake, and yet in the journal`;
  if (records.length === 0) {
    if (told.length > 0) yield `${order}: told ${told.map(spelt).join(', then ')}, and not in the journal`;
    if (entries.length > 0) yield `${order}: the bank has it, and the journal does not`;
    return;
  }
  if (told.length === 0) yield `${order}: recorded, and nothing was ever told`;
  for (const { closed, state } of records) if (!closed) yield `${order}: is left open, ${state.phase}`;
  yield* sequence(order, told, kills);
  yield* money(order, told, entries, disagreement);
}

/** What one message is told: one verdict, which comes again only marked, and is followed by corrections only if it was not final. */
export function* sequence(order: string, told: readonly Heard[], kills: number): Generator<string> {
  for (const [place, line] of told.entries()) {
    const { outcome, correction, redelivered } = line;
    const last = told[place - 1];
    const before = last?.outcome;
    if (before === undefined) {
      if (correction && !redelivered) yield `${order}: a correction came first`;
    } else if (!(redelivered && outcome === before) && !(last?.final === false && (correction || isForgotten(last)))) {
      yield `${order}: told ${spelt(line)} after ${last === undefined ? '' : spelt(last)}`;
    }
  }
  const again = told.filter(({ redelivered }) => redelivered).length;
  if (again > kills) yield `${order}: told again ${again} times after ${kills} kills`;
}

/** The journal could not be told that the flow heard of it, so the process that comes next cannot know. */
function isForgotten({ code }: Heard): boolean {
  return code === 'JOURNAL_UNAVAILABLE';
}

function spelt({ outcome, code, final }: Heard): string {
  return [outcome, code, final ? 'final' : 'open'].filter((word) => word !== undefined).join(' ');
}

/**
 * From the moment of a telling to the next one, or to the end, the bank agrees with it.
 * @param disagreement says what the bank should have, where it has something else
 */
export function* money<Line extends Heard>(
  order: string,
  told: readonly Line[],
  entries: readonly LedgerEntry[],
  disagreement: (line: Line, balance: Balance) => string | undefined,
): Generator<string> {
  for (const [place, line] of told.entries()) {
    const { at, outcome, moneyMoved } = line;
    if (moneyMoved === 'unknown') continue;
    const until = told[place + 1]?.at ?? Number.POSITIVE_INFINITY;
    const moments = [at, ...entries.map((entry) => entry.at).filter((time) => time > at && time < until)];
    for (const moment of moments) {
      const balance = balanceOf(entries.filter((entry) => entry.at <= moment));
      const expected = disagreement(line, balance);
      if (expected === undefined) continue;
      yield `${order}: told ${outcome} (${expected}), and the bank has ${amounts(balance)}`;
      break;
    }
  }
}

function disagreement({ outcome = '', moneyMoved, total = 0 }: Heard, { moved }: Balance): string | undefined {
  const expected = MOVED.has(outcome) && moneyMoved !== 'no' ? total : 0;
  // What a reversal took back says the ledger alone: its answer may not name an amount.
  const agrees = outcome === 'refunded' ? moved < 0 : moved === expected;
  return agrees ? undefined : String(expected);
}
