import { HONOURS_REFERENCE, type Operation } from './vocabulary.js';

/** Where the description of the service can be read in more than one way, these say which reading a deployment follows. */
export interface Readings {
  /** A ping of a terminal at work: 1001, or an answer. */
  busyPing: 'refused' | 'answered';
  /** A stop where nothing runs. */
  idleStop: 1005 | 1003;
  /** A stop that is accepted: it ends the operation, or comes too late for it, which goes on. */
  acceptedStop: 'ends' | 'too-late';
  /** The `type` of a ping's and a stop's result. */
  controlType: 'UNDEFINED' | 'TRANSACTION_STATUS';
  /** After nobody has filled in the form of a keyed entry. */
  keyedTimeout: 'busy-until-stop' | 'free';
  /** The reference that `moToSale` and `moToRefund` were sent with. */
  keyedReference: 'ignored' | 'honoured';
  /** A keyed entry where MOTO is off: nobody knows of it, or its result names a reference that can be asked. */
  keyedRefusal: 'unrecorded' | 'on-record';
  /** How the result of an approved keyed entry ends. */
  keyedApproval: 'AUTHORISED' | 'PROCESSED';
  /** A text that is sent to be printed: it is, or the terminal has no paper and says FAILED. */
  printer: 'ready' | 'no-paper';
  /** How the result of a payment ends for which nobody presented a card. */
  cardTimeout: 'CANCELLED' | 'DECLINED';
  /** The type of a sale that stores the card: that of the operation that asked for it, or one for both ways to ask. */
  tokenizedSale: 'by-operation' | 'SALE' | 'SALE_AND_TOKENIZE_CARD';
  /** Where the issuer wants chip and PIN. */
  authentication: 'prompt' | 'declined';
  /** A reference of a refused request, sent again: like new, or the terminal asks whether it is a duplicate. */
  refusedReference: 'free' | 'used';
  /** One element of `merchantAuth` without `acquirer`. */
  loneCredential: 'accepted' | 'refused';
  metadataSpaces: 'refused' | 'accepted';
  /** The `customerReference` of an order in results and records: as it was sent, or empty. */
  customerReference: 'echoed' | 'empty';
  /** What a poll is answered while the terminal is at work: 204, or a result that says IN_PROGRESS. */
  pendingResult: 'no-content' | 'in-progress';

  /** What the status service calls a sale that was refunded as a whole. */
  refundedSale: 'REFUNDED' | 'CANCELLED';
  /** What it calls a sale of which a part was refunded or reversed. */
  partlyReturnedSale: 'unchanged' | 'REFUNDED';
  /** What it calls a sale of which a part went back as an entry of its own: by `partlyReturnedSale`, or as one that was cancelled. */
  cancelledInPart: 'no' | 'yes';
  /** What it calls a refund that was done. */
  refundInStatus: 'AUTHORISED' | 'REFUNDED';
  /** Two take turns in answering, and the second is always 10 s behind. */
  statusInstances: 'one' | 'two';
  /** What went back of a payment: an entry of its own in the chain, or the state of the payment alone. */
  returnEntry: 'own' | 'in-payment';
  /** What went back, in the chain of its payment: an amount, or one with a sign. */
  returnedAmount: 'plain' | 'signed';
  /** A second try of a payment that was declined: it names no original, or the try before it. */
  secondTry: 'unlinked' | 'linked';
  /** The last entry of a chain: listed once, or once more, word for word. */
  lastEntry: 'once' | 'twice';
  /** The text of what is listed once more: the same, or a later one. */
  repeatedText: 'same' | 'later';
  /** For how long a result can be polled; after that 404. */
  resultLife: 'long' | 'minute';

  /** What a capture names as its original after an increase. */
  captureOriginal: 'hold' | 'increase';
  /** The tip of a capture: beyond the hold, or a part of it. */
  captureTip: 'on-top' | 'within-hold';
  /** 3 % on top of sales and captures, in the total of the entry. */
  surcharge: 'none' | 'on-top';
  /** A tip adjustment: a change of the sale's entry, or an entry of its own. */
  tipEntry: 'in-sale' | 'own';
  /** What a tip adjustment with an entry of its own names as its original: the sale, or nothing. */
  tipOriginal: 'sale' | 'none';
  /** A tip adjustment within a minute of the sale: it is done, or answered with 200 and not done. */
  earlyTip: 'applied' | 'ignored';
  /** A tip adjustment of a sale of which something went back: refused, done, or answered with 200 and not done. */
  tipAfterReturn: 'refused' | 'done' | 'ignored';
  /** The type of a change of a hold in the chain: its own, or that of the hold. */
  changeType: 'own' | 'as-hold';
  /** The same increase of the same hold once more within a minute. */
  repeatedIncrease: 'adds-up' | 'once';
  /** Capture or increase of an id that nobody knows: 3156 for a UUID and 5001 for anything else, or one for both. */
  unknownId: 'by-shape' | '3156' | '5001';
  /** 3051 for what was reversed and 3052 for what was captured or refunded, or the other way round. */
  completedCodes: 'by-state' | 'swapped';
  /** A reversal of a payment of which a refund has given back something: refused, or done as if there were no refund. */
  reversalAfterRefund: 'refused' | 'done';
  /** A refund of no more than the payment itself took, and of more than is left of it: refused, or done. */
  refundBeyondRest: 'refused' | 'done';
  /** The HTTP status of 3211, 3212 and 3215: 3212 alone is 403, all are, or all are 400. */
  holdRefusals: 'by-code' | 'all-403' | 'all-400';
  /** Amounts in answers about holds: texts, or numbers of the same major unit. */
  holdAmounts: 'text' | 'number';
  /** `currency` in the body of an increase. */
  increaseCurrency: 'refused' | 'accepted';

  /** A decline of `/moto/sale`: 400 on the DEMO merchant and 200 on others, or one for both. */
  motoDecline: 'by-merchant' | '200' | '400';
  motoFinStatus: 'absent' | 'present';
  /** A refund of a sale older than 90 days, answered with 200. */
  oldRefund: 'not-done' | 'done';
  /** `transactionReference` on a linked `/moto/refund` and on `/moto/reversal`. */
  linkedReference: 'accepted' | 'refused';
  /** Tip adjustment in group S, Canadian debit aside. */
  groupSTip: 'accepted' | 'refused';
  /** `/reversal` of Canadian debit. */
  canadianDebitVoid: 'refused' | 'accepted';
  batchErrors: 'flat' | 'nested';
  /** `issuerResponseCode` in answers of the back office: a text, or a number, which knows no leading zero. */
  issuerCodes: 'text' | 'number';

  /** The status service about a reference of another merchant: 401, or 404 as for one that nobody has sent. */
  foreignReference: 'refused' | 'not-found';
}

/** Every value a reading may have; the first is the default. */
export const READING_VALUES: { readonly [Name in keyof Readings]: readonly [Readings[Name], ...Readings[Name][]] } = {
  busyPing: ['refused', 'answered'],
  idleStop: [1005, 1003],
  controlType: ['UNDEFINED', 'TRANSACTION_STATUS'],
  keyedTimeout: ['busy-until-stop', 'free'],
  keyedReference: ['ignored', 'honoured'],
  keyedRefusal: ['unrecorded', 'on-record'],
  keyedApproval: ['AUTHORISED', 'PROCESSED'],
  cardTimeout: ['CANCELLED', 'DECLINED'],
  authentication: ['prompt', 'declined'],
  refusedReference: ['free', 'used'],
  loneCredential: ['accepted', 'refused'],
  metadataSpaces: ['refused', 'accepted'],
  refundedSale: ['REFUNDED', 'CANCELLED'],
  partlyReturnedSale: ['unchanged', 'REFUNDED'],
  refundInStatus: ['AUTHORISED', 'REFUNDED'],
  statusInstances: ['one', 'two'],
  resultLife: ['long', 'minute'],
  captureOriginal: ['hold', 'increase'],
  captureTip: ['on-top', 'within-hold'],
  surcharge: ['none', 'on-top'],
  tipEntry: ['in-sale', 'own'],
  repeatedIncrease: ['adds-up', 'once'],
  unknownId: ['by-shape', '3156', '5001'],
  completedCodes: ['by-state', 'swapped'],
  holdRefusals: ['by-code', 'all-403', 'all-400'],
  holdAmounts: ['text', 'number'],
  increaseCurrency: ['refused', 'accepted'],
  motoDecline: ['by-merchant', '200', '400'],
  motoFinStatus: ['absent', 'present'],
  oldRefund: ['not-done', 'done'],
  linkedReference: ['accepted', 'refused'],
  groupSTip: ['accepted', 'refused'],
  canadianDebitVoid: ['refused', 'accepted'],
  batchErrors: ['flat', 'nested'],
  foreignReference: ['refused', 'not-found'],
  acceptedStop: ['ends', 'too-late'],
  customerReference: ['echoed', 'empty'],
  pendingResult: ['no-content', 'in-progress'],
  returnedAmount: ['plain', 'signed'],
  secondTry: ['unlinked', 'linked'],
  lastEntry: ['once', 'twice'],
  returnEntry: ['own', 'in-payment'],
  cancelledInPart: ['no', 'yes'],
  repeatedText: ['same', 'later'],
  tipOriginal: ['sale', 'none'],
  changeType: ['own', 'as-hold'],
  issuerCodes: ['text', 'number'],
  printer: ['ready', 'no-paper'],
  earlyTip: ['applied', 'ignored'],
  reversalAfterRefund: ['refused', 'done'],
  refundBeyondRest: ['refused', 'done'],
  tipAfterReturn: ['refused', 'done', 'ignored'],
  tokenizedSale: ['by-operation', 'SALE', 'SALE_AND_TOKENIZE_CARD'],
};

/** Whether the status service can find an operation under the reference it was sent with. */
export function honoursReference(operation: Operation, readings: Readings): boolean {
  const isKeyed = operation === 'moToSale' || operation === 'moToRefund';
  return HONOURS_REFERENCE.has(operation) || (isKeyed && readings.keyedReference === 'honoured');
}
