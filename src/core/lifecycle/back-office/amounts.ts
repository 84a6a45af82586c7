import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { exponentOf } from '../../base/currencies.js';
import { fromMajorString, saidAmount, toMajorString } from '../../base/money.js';
import { withoutAbsent } from '../../base/objects.js';
import type { BackOfficeOrder } from '../../operation/back-office-order.js';
import type { ReversedKind } from '../../operation/kinds.js';
import type { Verdict } from '../../operation/verdict.js';
import type { Baseline } from '../chain/chain-evidence.js';
import type { Reply, SaidAmounts } from './reply.js';

/** How much was asked for, and how much the service says that it did. */

/** Minor units. */
export interface Amount {
  currency: string;
  amount: bigint;
  tip?: bigint;
  /** On top of both: the service takes it beside what was asked for. */
  surcharge?: bigint;
}

/** That another amount was done than was asked for. */
export interface AmountMismatch {
  isLess: boolean;
  error: NonNullable<Verdict['error']>;
}

/** What was asked for, in major units; undefined where no amount or no currency was. */
export function requestedOf({
  operation,
  body,
}: BackOfficeOrder): { amount: string; tip?: string; currency: string } | undefined {
  switch (operation) {
    case 'preauthorization/capture':
      return body.currency === undefined
        ? undefined
        : { amount: body.capturedAmount, tip: body.tipAmount, currency: body.currency };
    case 'preauthorization/increase':
      return body.currency === undefined ? undefined : { amount: body.increaseAmount, currency: body.currency };
    case 'token':
    case 'batch/close':
    case 'batch/summary':
    case 'batch/detail':
      return undefined;
    default:
      return body.amount === undefined || body.currency === undefined
        ? undefined
        : { amount: body.amount, currency: body.currency };
  }
}

export function requestedAmount(order: BackOfficeOrder): Amount | undefined {
  const asked = requestedOf(order);
  if (asked === undefined) return undefined;
  const { currency, amount, tip } = asked;
  return {
    currency,
    amount: fromMajorString(amount, currency),
    ...withoutAbsent({ tip: tip === undefined ? undefined : fromMajorString(tip, currency) }),
  };
}

/** What a record knows of what a reversal of the whole takes back. */
export interface OfWhole {
  request: BackOfficeOrder;
  reverses?: ReversedKind;
  /** By the journal. */
  reversedAmount?: Baseline['whole'];
  state: { baseline?: Pick<Baseline, 'whole'> };
}

/** What a reversal of the whole takes back; undefined where nobody knows. What the chain showed before it was sent comes first. */
export function wholeAmount({ reversedAmount, state }: OfWhole): Amount | undefined {
  const whole = state.baseline?.whole ?? reversedAmount;
  return whole && { currency: whole.currency, amount: BigInt(whole.amount) };
}

/**
 * What an answer says; undefined where it says nothing, or nothing that can be read. Which way it went, it may say by a sign.
 * @param asked what was asked for
 */
export function answeredAmount(asked: Amount | undefined, reply: SaidAmounts | undefined): Amount | undefined {
  const currency = reply?.currency || asked?.currency;
  const amount = saidAmount(reply?.amount, currency);
  if (amount === undefined || currency === undefined) return undefined;
  return {
    currency,
    amount: amount < 0n ? -amount : amount,
    ...withoutAbsent({
      tip: saidAmount(reply?.tip, currency) ?? asked?.tip,
      surcharge: saidAmount(reply?.surcharge, currency),
    }),
  };
}

/** How much an answer says was captured, in the fields that it may have for that. */
interface SaidCapture {
  capturedAmount?: string;
  tipAmount?: string;
  surcharge?: { amount?: string };
  /** Beside `capturedAmount` it decides nothing. */
  amount?: string;
  currency?: string;
}

/**
 * What the answer to a capture says. An amount that stands alone is as much as was asked for if it is that with the tip and the
 * surcharge, or without: no answer says which. Any other is the whole of what was captured.
 */
export function capturedAs(
  asked: Amount | undefined,
  said: SaidCapture,
): Pick<SaidAmounts, 'amount' | 'tip' | 'surcharge'> {
  const { capturedAmount, tipAmount: tip, surcharge: { amount: surcharge } = {}, amount: alone, currency } = said;
  const code = currency?.toUpperCase() || asked?.currency;
  const whole = saidAmount(alone, code);
  if (capturedAmount || asked === undefined || whole === undefined) return { amount: capturedAmount, tip, surcharge };
  const onTop = [0n, saidAmount(tip, code) ?? asked.tip ?? 0n];
  const above = [0n, saidAmount(surcharge, code) ?? 0n];
  const isAsAsked =
    code === asked.currency && onTop.some((more) => above.some((less) => whole + more - less === sumOf(asked)));
  if (!isAsAsked) return { amount: alone, tip: tip || '0', surcharge };
  return { amount: toMajorString(asked.amount, asked.currency), tip, surcharge };
}

/** What an entry of the chain says; undefined where it says nothing that can be read. Which way it went, it may say by a sign. */
export function entryAmount(entry: Partial<TransactionResult> = {}): Amount | undefined {
  const { currency = '', surcharge: { amount: surcharge = 0 } = {} } = entry;
  if (entry.totalAmount === undefined || exponentOf(currency) === undefined) return undefined;
  const totalAmount = Math.abs(entry.totalAmount);
  const isOnTop = surcharge > 0 && surcharge < totalAmount;
  return {
    currency,
    amount: BigInt(isOnTop ? totalAmount - surcharge : totalAmount),
    ...withoutAbsent({ surcharge: isOnTop ? BigInt(surcharge) : undefined }),
  };
}

/** What an approving answer says against what was asked for; undefined where it says nothing against it. */
export function amountMismatch(record: OfWhole, reply: Reply): AmountMismatch | undefined {
  const asked = requestedAmount(record.request);
  if (asked !== undefined) return currencyMismatch(asked, reply) ?? mismatch(asked, answeredAmount(asked, reply));
  // How much of a hold others have captured, nobody knows.
  const isMoney = record.reverses === 'money' || record.state.baseline?.whole !== undefined;
  const whole = isMoney ? wholeAmount(record) : undefined;
  const said = answeredAmount(whole, reply);
  const found = mismatch(whole, said);
  // A tip that nobody knew of went back with the rest, unless the chain was looked at right before.
  const mayHaveTip = record.state.baseline?.whole === undefined && !isInMinorUnits(whole, said);
  const isMore = found && !found.isLess && (reply.currency || whole?.currency) === whole?.currency;
  return isMore && mayHaveTip ? undefined : found;
}

/**
 * What the chain shows of an operation against what was asked for. Where all of a hold was to be let go, an amount of zero says no
 * more than that no money moved.
 * @param held what was on hold before a release, minor units
 */
export function entryMismatch(
  order: BackOfficeOrder,
  entry: TransactionResult,
  held?: number,
): AmountMismatch | undefined {
  const asked = requestedAmount(order);
  const isOfAll = asked !== undefined && held !== undefined && sumOf(asked) === BigInt(held);
  return isOfAll && entry.totalAmount === 0 ? undefined : mismatch(asked, entryAmount(entry));
}

/** Another currency is another amount, also where the answer names none. */
function currencyMismatch(
  { currency }: Amount,
  { amount, currency: said = '' }: SaidAmounts,
): AmountMismatch | undefined {
  if (amount !== undefined || said === '' || said === currency) return undefined;
  const message = `asked for ${currency}, and the service says that it did it in ${said}`;
  return { isLess: false, error: { code: 'AMOUNT_DIFFERS', name: 'AmountDiffers', message } };
}

function mismatch(asked: Amount | undefined, done: Amount | undefined): AmountMismatch | undefined {
  if (asked === undefined || done === undefined) return undefined;
  if (asked.currency === done.currency && sumOf(asked) === sumOf(done)) return undefined;
  return {
    isLess: asked.currency === done.currency && sumOf(done) < sumOf(asked),
    error: {
      code: 'AMOUNT_DIFFERS',
      name: 'AmountDiffers',
      message: `asked for ${spelt(asked)}, and the service says that it did ${spelt(done)}`,
    },
  };
}

/** The whole is named in minor units, where major ones belong. */
function isInMinorUnits(whole: Amount | undefined, said: Amount | undefined): boolean {
  if (whole === undefined || said === undefined) return false;
  return sumOf(said) === sumOf(whole) * 10n ** BigInt(exponentOf(whole.currency) ?? 0);
}

/** The amount and the tip, which is as much as can be asked for. */
export function sumOf({ amount, tip = 0n }: Amount): bigint {
  return amount + tip;
}

/** What moves: the surcharge is added to what was asked for. */
export function totalOf(amount: Amount): bigint {
  return sumOf(amount) + (amount.surcharge ?? 0n);
}

function spelt(amount: Amount): string {
  return `${toMajorString(sumOf(amount), amount.currency)} ${amount.currency}`;
}
