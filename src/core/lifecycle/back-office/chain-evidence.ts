import { REVERSAL_TYPES } from '../../api/schema/entry-types.js';
import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { fromMajorString } from '../../base/money.js';
import { withoutAbsent } from '../../base/objects.js';
import { type BackOfficeOrder, originalOf } from '../../operation/back-office-order.js';

/** What the chain of an operation proves about it. The chain is what the status service gives with `all`. */

/** What the chain showed before an operation was sent. Minor units. */
export interface Baseline {
  /** When it was asked for, epoch ms. */
  at: number;
  hold?: number;
  /** When the original was made, epoch ms. */
  originalAt?: number;
  /** `transactionID` of every operation. */
  ids: string[];
  /** Number of the batch that is to be closed, which was open then. */
  batch?: string;
}

export type Proof =
  | { says: 'done'; by?: TransactionResult }
  | { says: 'declined'; by: TransactionResult }
  /** It is not there. Proves something only when it would have to be. */
  | { says: 'absent' }
  | { says: 'unclear' };

const APPROVED: ReadonlySet<string> = new Set(['AUTHORISED', 'CAPTURED', 'PROCESSED', 'REFUNDED']);
const DECLINED: ReadonlySet<string> = new Set(['DECLINED', 'CANCELLED', 'FAILED']);
const REFUNDS: ReadonlySet<string> = new Set(['MOTO_REFUND', 'REFUND']);
const CAPTURES: ReadonlySet<string> = new Set(['PRE_AUTHORIZATION_CAPTURE']);
/** What the original shows once all of it has gone back. */
const TAKEN_BACK: ReadonlySet<string> = new Set(['CANCELLED', 'REFUNDED']);

const ABSENT: Proof = { says: 'absent' };
const UNCLEAR: Proof = { says: 'unclear' };

/** Undefined while the status service, which lags, does not show the original. */
export function baselineOf(
  chain: readonly TransactionResult[],
  order: BackOfficeOrder,
  at: number,
): Baseline | undefined {
  const original = originalIn(chain, order);
  if (original === undefined) return undefined;
  const { holdAmount: hold, efttimestamp: originalAt } = original;
  return { at, ids: idsIn(chain), ...withoutAbsent({ hold, originalAt }) };
}

export function idsIn(chain: readonly TransactionResult[]): string[] {
  return chain.map(({ transactionID = '' }) => transactionID);
}

/** @param others entries that other operations are known to have made */
export function proofIn(
  chain: readonly TransactionResult[],
  order: BackOfficeOrder,
  baseline: Baseline | undefined,
  others: ReadonlySet<TransactionResult> = new Set(),
): Proof {
  const added = chain.filter((entry) => !others.has(entry) && !baseline?.ids.includes(entry.transactionID ?? ''));
  const proof = shownBy({ chain, added, baseline, order });
  // What does not say yet how it ended may be what is looked for.
  return proof.says === 'absent' && chain.some((entry) => !others.has(entry) && isOpen(entry)) ? UNCLEAR : proof;
}

function isOpen({ finStatus }: TransactionResult): boolean {
  return !APPROVED.has(finStatus) && !DECLINED.has(finStatus) && finStatus !== 'PARTIAL_APPROVAL';
}

interface Shown {
  chain: readonly TransactionResult[];
  /** What may be the work of the operation. */
  added: readonly TransactionResult[];
  baseline: Baseline | undefined;
  order: BackOfficeOrder;
}

function shownBy(shown: Shown): Proof {
  const { chain, added, baseline, order } = shown;
  if (originalOf(order) === undefined) return ownProof(chain[0]);
  const original = originalIn(chain, order);
  // A chain that does not show what the operation is about is another one, or is not there yet: it proves nothing.
  if (original === undefined) return UNCLEAR;
  switch (order.operation) {
    case 'moto/refund':
      if (baseline === undefined) return UNCLEAR;
      return entryProof(below(added, original, REFUNDS), minorOf(order.body.amount, order.body.currency));
    case 'reversal':
    case 'moto/reversal':
      return reversalProof(shown, original, minorOf(order.body.amount, order.body.currency));
    case 'preauthorization/capture':
      return entryProof(below(added, original, CAPTURES), capturedBy(order, original.currency));
    case 'preauthorization/increase':
      return holdProof(original, order, baseline);
    case 'tip-adjustment': {
      const wanted = minorOf(order.body.amount, order.body.currency) ?? 0;
      return (original.tipAmount ?? 0) === wanted ? { says: 'done', by: original } : ABSENT;
    }
    default:
      return UNCLEAR;
  }
}

function ownProof(first: TransactionResult | undefined): Proof {
  if (first === undefined) return ABSENT;
  const { finStatus, issuerResponseCode = '00' } = first;
  if (finStatus === 'PROCESSED' && issuerResponseCode !== '00') return { says: 'declined', by: first };
  if (APPROVED.has(finStatus)) return { says: 'done', by: first };
  return DECLINED.has(finStatus) ? { says: 'declined', by: first } : UNCLEAR;
}

/** @param amount what was asked for, minor units; undefined where any will do */
function entryProof(entries: readonly TransactionResult[], amount: number | undefined): Proof {
  const entry = entries.find(({ totalAmount }) => amount === undefined || totalAmount === amount);
  return entry === undefined ? ABSENT : { says: 'done', by: entry };
}

/** @param part what was to be taken back, minor units; the whole where undefined */
function reversalProof({ chain, added }: Shown, original: TransactionResult, part: number | undefined): Proof {
  const isHold = original.type === 'PRE_AUTHORIZATION';
  const reversals = below(added, original, REVERSAL_TYPES);
  // A hold is released as a whole, whatever has become of it since. Of anything else a part is no proof of the whole.
  const wanted = part ?? (isHold ? undefined : (original.totalAmount ?? Number.NaN));
  const proof = entryProof(reversals, wanted);
  if (proof.says === 'done' || !TAKEN_BACK.has(original.finStatus)) return proof;
  // It is back, and that may be this operation's doing, unless the chain shows whose it was.
  const known = below(chain, original, REVERSAL_TYPES).some((entry) => !reversals.includes(entry));
  return known || below(chain, original, REFUNDS).length > 0 ? proof : UNCLEAR;
}

function below(
  entries: readonly TransactionResult[],
  { transactionID }: TransactionResult,
  types: ReadonlySet<string>,
): TransactionResult[] {
  return entries.filter(
    ({ type = '', finStatus, originalEFTTransactionID }) =>
      types.has(type) && APPROVED.has(finStatus) && originalEFTTransactionID === transactionID,
  );
}

function holdProof(
  hold: TransactionResult,
  order: BackOfficeOrder & { operation: 'preauthorization/increase' },
  baseline: Baseline | undefined,
): Proof {
  const { increaseAmount, subtract, currency = hold.currency } = order.body;
  const delta = minorOf(increaseAmount, currency);
  if (hold.holdAmount === undefined || baseline?.hold === undefined || delta === undefined) return UNCLEAR;
  const change = hold.holdAmount - baseline.hold;
  if (change === 0) return ABSENT;
  return change === (subtract === undefined ? delta : -delta) ? { says: 'done', by: hold } : UNCLEAR;
}

/** What a capture takes in all: the tip comes on top. */
function capturedBy(
  { body }: BackOfficeOrder & { operation: 'preauthorization/capture' },
  heldIn: string | undefined,
): number | undefined {
  const { capturedAmount, tipAmount = '0', currency = heldIn } = body;
  const captured = minorOf(capturedAmount, currency);
  const tip = minorOf(tipAmount, currency);
  return captured === undefined || tip === undefined ? undefined : captured + tip;
}

function originalIn(chain: readonly TransactionResult[], order: BackOfficeOrder): TransactionResult | undefined {
  const original = originalOf(order);
  return chain.find(({ transactionID }) => transactionID === original);
}

function minorOf(amount: string | undefined, currency: string | undefined): number | undefined {
  return amount === undefined || currency === undefined ? undefined : Number(fromMajorString(amount, currency));
}
