import { saidAmount, toMajorString } from '../../../core/base/money.js';
import { type Kind, kindOf, type Operation } from '../../../core/operation/kinds.js';
import { hasApproval } from '../../../core/operation/outcome.js';
import { type Summary, type TakenBack, takenBackBy } from '../../admin/contract.js';

/** An operation as the sidebar shows it, combined with the operation it reverses or its own reversal. */
export interface Entry extends Summary {
  takenBack?: TakenBack;
  /** It reverses a refund, so that money comes in again. */
  reversesRefund?: true;
  /** Decimal in major units: the reversal, or the tip, of which it takes the place; empty where nobody knows it. */
  replaces?: string;
}

/**
 * @param original the operation that this one refers to, if known
 * @param reversals the known operations that reverse this one
 * @param before the latest operation of its kind that was done to the same original before it
 */
export function entryOf(
  summary: Summary,
  original: Summary | undefined,
  reversals: readonly Summary[],
  before?: Summary,
): Entry {
  const { reverses, terminal, amount, currency } = summary;
  const effects = reversals.map((reversal) => takenBackBy(summary, reversal));
  const takenBack = effects.find((effect) => effect === 'done') ?? effects.find((effect) => effect === 'open');
  const entry = takenBack === undefined ? summary : { ...settled(summary, takenBack), takenBack };
  const replaces = replacedBy(summary, original, before);
  if (reverses === undefined || original === undefined) return { ...entry, ...replaces };
  // A full reversal may have been requested without an amount: the original has it.
  const money = amount === '' ? { amount: original.amount, currency: original.currency } : { amount, currency };
  const card = summary.card || original.card;
  const isRefund = kindIn(original) === 'refund';
  return {
    ...entry,
    ...money,
    ...replaces,
    card,
    terminal: terminal || original.terminal,
    ...(isRefund ? { reversesRefund: true } : {}),
  };
}

/** A tip takes the place of the one before it, and a reversal that of an earlier reversal. */
function replacedBy(
  summary: Summary,
  original: Summary | undefined,
  before: Summary | undefined,
): Pick<Entry, 'replaces'> {
  if (before !== undefined && mayStillMove(before)) return { replaces: '' };
  if (kindIn(summary) === 'tip')
    return { replaces: before?.tip ?? (original === undefined ? '' : original.tip || '0') };
  return before === undefined ? {} : { replaces: before.amount || (original?.amount ?? '') };
}

/** Nobody has to look at a partial approval that was reversed: nothing is left of it. */
function settled(summary: Summary, takenBack: TakenBack): Summary {
  const { standing, outcome, undelivered, handling } = summary;
  const isSettled =
    standing === 'attention' &&
    outcome === 'partial' &&
    takenBack === 'done' &&
    !undelivered &&
    handling !== 'overturned';
  return isSettled ? { ...summary, standing: 'over' } : summary;
}

/** Which way its money goes for the merchant: in, or out. Every other kind moves none, or only changes another operation. */
const SIGNS: Partial<Record<Kind, 1n | -1n>> = { charge: 1n, capture: 1n, tip: 1n, refund: -1n, reversal: -1n };

/** The money that it moved, signed, in major units; `0` where it moved none, empty where that is not known. */
export function movedBy(entry: Entry): string {
  const { outcome, amount, tip, currency, reversesRefund, replaces = '0' } = entry;
  const kind = kindIn(entry);
  if (mayStillMove(entry)) return '';
  // A charge that was "refunded" has gone back, and a reversal that "completed" released a hold.
  const hasGone =
    kind !== undefined && outcome === (kind === 'reversal' ? 'completed' : kind === 'charge' ? 'refunded' : '');
  const sign = kind === undefined ? undefined : SIGNS[kind];
  if (sign === undefined || hasGone || !hasApproval(outcome)) return '0';
  const moved = less(kind === 'tip' ? tip : amount, replaces, currency);
  return moved === undefined ? '' : toMajorString(reversesRefund ? moved : sign * moved, currency);
}

/** Nobody knows yet what it moved: as long as it is watched, or not told, a failure may turn into an approval. */
export function mayStillMove(summary: Summary): boolean {
  const { outcome, stage, undelivered } = summary;
  if (outcome === 'failed') return kindIn(summary) !== undefined && (stage !== undefined || undelivered === true);
  return outcome === undefined || outcome === 'unknown' || outcome === 'provisional';
}

/** Minor units; undefined where one of the amounts is not known. */
function less(amount: string, replaced: string, currency: string): bigint | undefined {
  const [whole, part] = [saidAmount(amount, currency), saidAmount(replaced, currency)];
  return whole === undefined || part === undefined ? undefined : whole - part;
}

function kindIn({ operation }: Summary): Kind | undefined {
  return kindOf(operation as Operation);
}
