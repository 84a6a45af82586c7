import { REVERSAL_TYPES } from '../../api/schema/entry-types.js';
import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { UUID_V4 } from '../../base/uuid.js';

/** How the entries of a chain hang together. The chain is what the status service gives with `all`, oldest first. */

export type Entry = TransactionResult;

const APPROVED: ReadonlySet<string> = new Set(['AUTHORISED', 'CAPTURED', 'REFUNDED']);
const DECLINED: ReadonlySet<string> = new Set(['DECLINED', 'CANCELLED', 'FAILED']);
/** What a payment may show once something of it has gone back. */
export const TAKEN_BACK: ReadonlySet<string> = new Set(['CANCELLED', 'REFUNDED']);

const TYPES = {
  refund: new Set(['MOTO_REFUND', 'REFUND']),
  capture: new Set(['PRE_AUTHORIZATION_CAPTURE']),
  'hold-change': new Set(['PRE_AUTHORIZATION_INCREASE']),
  tip: new Set(['TIP_ADJUSTMENT']),
  token: new Set(['TOKENIZE_CARD']),
  reversal: REVERSAL_TYPES,
} as const satisfies Record<string, ReadonlySet<string>>;

export type EntryKind = keyof typeof TYPES;

/** What moves or holds money itself. It may name the attempt before it. */
const CHARGES: ReadonlySet<string> = new Set(['SALE', 'SALE_AND_TOKENIZE_CARD', 'MOTO_SALE', 'PRE_AUTHORIZATION']);

/** What may name no original although it has one. */
const FOLLOW_UPS: readonly EntryKind[] = ['reversal', 'tip', 'capture', 'hold-change', 'token'];

/** What asks no issuer: it is PROCESSED once it is done. */
const WITHOUT_ISSUER: readonly EntryKind[] = ['tip', 'token'];

/** What only changes a payment: a later entry may name it in place of the payment itself. */
const CHANGES: readonly EntryKind[] = ['hold-change', 'tip'];

/** What may be approved entries of a kind, by what they are about. */
export interface Found {
  /** About the original itself, or about what belongs to it. */
  about: Entry[];
  /** The chain does not say about what. */
  doubtful: Entry[];
}

export function entryIn(chain: readonly Entry[], id: string | undefined): Entry | undefined {
  return id === undefined || id === '' ? undefined : chain.find(({ transactionID }) => transactionID === id);
}

/** As a whole. A card-not-present answer says PROCESSED whether or not the issuer agreed. */
export function isApproved(entry: Entry): boolean {
  const { finStatus, issuerResponseCode = '' } = entry;
  if (finStatus !== 'PROCESSED') return APPROVED.has(finStatus);
  return issuerResponseCode === '' ? WITHOUT_ISSUER.some((kind) => isOfKind(entry, kind)) : issuerResponseCode === '00';
}

/** Also what was processed, and does not say whether the issuer agreed. */
export function mayBeApproved(entry: Entry): boolean {
  return isApproved(entry) || (entry.finStatus === 'PROCESSED' && !isDeclined(entry));
}

export function isDeclined({ finStatus, issuerResponseCode = '' }: Entry): boolean {
  return DECLINED.has(finStatus) || (finStatus === 'PROCESSED' && !['', '00'].includes(issuerResponseCode));
}

export function isCharge({ type = '' }: Entry): boolean {
  return CHARGES.has(type);
}

export function isOfKind({ type = '' }: Entry, kind: EntryKind): boolean {
  return TYPES[kind].has(type);
}

/** The service lists types that say nothing of what was done, and may leave the type out. */
export function isOfUnknownKind({ type = '' }: Pick<Entry, 'type'>): boolean {
  return !CHARGES.has(type) && !Object.values(TYPES).some((types) => types.has(type));
}

/** The entries of the operation itself in the chain under its own reference, not of what was done to it later. */
export function ownEntries(chain: readonly Entry[], isRefund: boolean): Entry[] {
  const later: readonly EntryKind[] = isRefund ? FOLLOW_UPS : [...FOLLOW_UPS, 'refund'];
  // A charge may name the attempt before it.
  const isOwnCharge = (entry: Entry): boolean => !isRefund && isCharge(entry) && !isListedChange(entry, chain);
  return chain.filter((entry, place) => place === 0 || isOwnCharge(entry) || startsChain(entry, later));
}

/** A change of a hold may be listed with the type of the hold; the next attempt names one that did not succeed. */
function isListedChange(entry: Entry, chain: readonly Entry[]): boolean {
  const hold = entryIn(chain, entry.originalEFTTransactionID);
  if (hold === undefined || hold === entry || !isHold(entry) || !isHold(hold)) return false;
  return hold.finStatus !== 'DECLINED' && hold.finStatus !== 'FAILED';
}

/** It names no original, and is of none of the kinds that may leave it out. */
function startsChain(entry: Entry, later: readonly EntryKind[]): boolean {
  const { originalEFTTransactionID: original = '' } = entry;
  return original === '' && !later.some((kind) => isOfKind(entry, kind));
}

/**
 * Whether the status service has given an entry of another payment. It may write references in capitals.
 * @param references those that were asked about
 */
export function isOfAnother({ transactionReference = '' }: Entry, references: readonly string[]): boolean {
  const named = transactionReference.toLowerCase();
  return UUID_V4.test(named) && !references.some((reference) => reference.toLowerCase() === named);
}

export function isHold({ type }: Entry): boolean {
  return type === 'PRE_AUTHORIZATION';
}

/** @param entries those of the chain that count */
export function found(kind: EntryKind, entries: readonly Entry[], chain: readonly Entry[], original: Entry): Found {
  const some = entries.filter((entry) => isOfKind(entry, kind) && mayBeApproved(entry));
  const about: Entry[] = [];
  const doubtful: Entry[] = [];
  for (const entry of some) {
    const subject = subjectOf(entry, chain);
    const isOfCapture = subject !== undefined && isCaptureOf(subject, original, chain);
    if (subject === original || (isOfCapture && kind === 'reversal')) about.push(entry);
    // What names the hold may be about its capture.
    else if (subject === undefined || isOfCapture || comesFrom(original, subject, chain)) doubtful.push(entry);
  }
  return { about, doubtful };
}

/** The payment that an entry is about, followed through what only changed it; undefined where the chain does not show it. */
export function subjectOf(entry: Entry, chain: readonly Entry[]): Entry | undefined {
  const named = originalsOf(entry, chain).find((one) => !CHANGES.some((kind) => isOfKind(one, kind)));
  return named ?? (isUnnamedTip(entry) ? tippedBy(entry, chain) : undefined);
}

/** Of a tip no description says that it names its payment. */
function isUnnamedTip(entry: Entry): boolean {
  return isOfKind(entry, 'tip') && !entry.originalEFTTransactionID;
}

/** What has the same id, or the only payment of the chain. */
function tippedBy({ transactionID }: Entry, chain: readonly Entry[]): Entry | undefined {
  const payments = chain.filter((one) => isPayment(one) && one.finStatus !== 'DECLINED' && one.finStatus !== 'FAILED');
  const [only] = payments;
  return entryIn(payments, transactionID) ?? (payments.length === 1 ? only : undefined);
}

/** Whether it takes money from the cardholder, or may do so. */
function isPayment(entry: Entry): boolean {
  const isSale = isCharge(entry) && !isHold(entry);
  return isSale || isOfKind(entry, 'capture') || isOfUnknownKind(entry);
}

/** A tip that names a hold may be about its capture. */
export function canHaveTip(entry: Entry): boolean {
  return isPayment(entry) || isHold(entry);
}

/** From the nearest to the first, as far as the chain shows them. */
function originalsOf(entry: Entry, chain: readonly Entry[]): Entry[] {
  const originals: Entry[] = [];
  let next = entryIn(chain, entry.originalEFTTransactionID);
  while (next !== undefined && !originals.includes(next)) {
    originals.push(next);
    next = entryIn(chain, next.originalEFTTransactionID);
  }
  return originals;
}

function comesFrom(entry: Entry, earlier: Entry, chain: readonly Entry[]): boolean {
  return originalsOf(entry, chain).includes(earlier);
}

export function isCaptureOf(capture: Entry, hold: Entry, chain: readonly Entry[]): boolean {
  return isHold(hold) && isOfKind(capture, 'capture') && subjectOf(capture, chain) === hold;
}
