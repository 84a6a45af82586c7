import type { FaultKind } from '../infra/faults.js';
import type { Variants } from './variants.js';

/**
 * Every point at which the description of the service is silent or can be read in two ways, with the switches that play
 * the readings: variants, faults, or a second point of sale.
 */

type Switch = keyof Variants | FaultKind | 'other-system';

export interface Reading {
  point: string;
  switches: readonly [Switch, ...Switch[]];
  /** Why no payment of the client that is shipped with this simulator meets one of them: other clients may. */
  unmet?: Readonly<Partial<Record<Switch, string>>>;
}

export const READINGS: readonly Reading[] = [
  // Orders
  { point: 'reference that a keyed sale was sent with', switches: ['keyedReference'] },
  { point: 'reference of a request that was refused', switches: ['refusedReference'] },
  { point: 'a lone credential that names no acquirer', switches: ['loneCredential'] },
  {
    point: 'a space in metadata',
    switches: ['metadataSpaces'],
    unmet: { metadataSpaces: 'a space is an error before anything is sent' },
  },
  { point: 'the customer reference in what comes back', switches: ['customerReference'] },
  { point: 'a 4xx for an order', switches: ['order-refused-before', 'order-refused-after', 'terminalErrors'] },
  { point: 'a 404 without a terminal number for an order', switches: ['order-refused-before', 'order-refused-after'] },
  { point: 'a proxy that answers for the service', switches: ['web-page-before', 'web-page-after'] },
  { point: 'a limit that the repetition of a request exceeds', switches: ['repeated-request-throttled'] },
  { point: 'a terminal said to be busy', switches: ['repeated-request', 'terminal-busy', 'other-system'] },
  { point: 'an accepted order without a result id', switches: ['acceptedWithoutResultId'] },
  { point: 'an answer after the deadline of its client', switches: ['acts-late', 'answer-delayed'] },

  // Terminals
  {
    point: 'a ping of a terminal at work',
    switches: ['busyPing'],
    unmet: { busyPing: 'a ping proves nothing, so none is sent about a payment' },
  },
  {
    point: 'what a ping and a stop end in',
    switches: ['ping', 'controlType'],
    unmet: { ping: 'a ping proves nothing, so none is sent about a payment' },
  },
  { point: 'a stop where nothing runs, or where another payment runs', switches: ['idleStop', 'other-system'] },
  { point: 'a stop that is accepted', switches: ['acceptedStop'] },
  { point: 'a poll while the terminal is at work', switches: ['pendingResult'] },
  { point: 'nobody presents a card, or keys one in', switches: ['cardTimeout', 'keyedTimeout'] },
  { point: 'a text that cannot be printed', switches: ['printer'] },
  { point: 'issuers that want chip and PIN', switches: ['authentication'] },
  { point: 'a sale that stores the card', switches: ['tokenizedSale'] },
  { point: 'an approved keyed sale', switches: ['keyedApproval'] },
  { point: 'a keyed sale where MOTO is off', switches: ['keyedRefusal'] },
  { point: 'a payment that the terminal takes back', switches: ['forcedReversal'] },
  { point: 'the end of a partial approval', switches: ['partialSpelling', 'partialInStatus', 'reversal-fails'] },
  { point: 'a terminal that starts late, or reports late', switches: ['card-read-late', 'result-late'] },
  { point: 'a result that is replaced', switches: ['undefined-first', 'gateway-answer-lost'] },
  { point: 'a result id that expires', switches: ['resultLife', 'poll-404'] },
  {
    point: 'a result that is about something else',
    switches: ['result-other-type', 'result-type-undefined', 'result-zero', 'result-negative', 'result-tenfold'],
  },
  { point: 'a result that names no transaction', switches: ['result-without-id'] },
  { point: 'a result under a reference of its own', switches: ['result-other-reference'] },
  { point: 'an intermediary that delivers a response twice', switches: ['answer-delivered-twice'] },
  { point: 'a card that was stored without a token', switches: ['body-without-token'] },
  { point: 'a callback that arrives in part', switches: ['callback-cut-off'] },
  {
    point: 'a result whose amounts, currency or status cannot be used',
    switches: [
      'result-other-currency',
      'result-without-amounts',
      'result-empty-amounts',
      'result-unreadable-amounts',
      'result-unreadable-status',
      'result-unreadable-unrecorded',
    ],
  },

  // The status service
  {
    point: 'a reversed or refunded sale',
    switches: ['reversedSale', 'refundedSale', 'partlyReturnedSale', 'cancelledInPart'],
  },
  { point: 'a refund that was done', switches: ['refundInStatus'] },
  {
    point: 'a payment of which there is no record yet',
    switches: ['beforeRecord', 'status-404', 'status-undefined', 'status-empty'],
    unmet: { beforeRecord: 'whole chains are asked for, and of a chain without a record the answer is an empty list' },
  },
  { point: 'declined while the terminal is not at its end', switches: ['declined-then-approved'] },
  { point: 'failed on both sides', switches: ['failed-then-approved'] },
  {
    point: 'a reference of another merchant',
    switches: ['foreignReference'],
    unmet: { foreignReference: 'only references that were sent to the same service are asked for' },
  },
  { point: 'a record that is gone for a while', switches: ['status-record-missing'] },
  { point: 'a record that is shown once, and never again', switches: ['status-record-gone'] },
  { point: 'how late the status is', switches: ['status-lag', 'statusInstances'] },

  // Chains
  {
    point: 'entries of a chain',
    switches: [
      'captureOriginal',
      'surcharge',
      'tipEntry',
      'returnEntry',
      'returnedAmount',
      'secondTry',
      'lastEntry',
      'repeatedText',
      'tipOriginal',
      'changeType',
      'other-system',
    ],
  },

  // Back office
  { point: 'an increase that is sent once more', switches: ['repeatedIncrease'] },
  {
    point: 'a reference on a linked operation',
    switches: ['linkedReference'],
    unmet: { linkedReference: 'linked operations are sent without one' },
  },
  { point: 'tips after the sale in group S', switches: ['groupSTip'] },
  { point: 'a tip right after the sale', switches: ['earlyTip'] },
  { point: 'a tip of a sale of which something went back', switches: ['tipAfterReturn'] },
  { point: 'Canadian debit taken back', switches: ['canadianDebitVoid'] },
  { point: 'nothing left to reverse', switches: ['completedCodes'] },
  { point: 'a reversal after a refund', switches: ['reversalAfterRefund'] },
  { point: 'a refund of more than is left', switches: ['refundBeyondRest'] },
  { point: 'captures and changes of a hold that are forbidden', switches: ['holdRefusals'] },
  { point: 'a hold that nobody knows', switches: ['unknownId'] },
  {
    point: 'a MOTO sale that a bank declines',
    switches: [
      'motoDecline',
      'motoFinStatus',
      'moto-authorised-without-code',
      'moto-00-without-code',
      'moto-undefined-with-00',
    ],
  },
  { point: 'the tip of a capture', switches: ['captureTip'] },
  { point: 'amounts in answers about holds', switches: ['holdAmounts'] },
  { point: 'a currency on an increase', switches: ['increaseCurrency'] },
  { point: 'the code of the issuer in answers of the back office', switches: ['issuerCodes'] },
  { point: 'errors of batches', switches: ['batchErrors'] },
  {
    point: 'a 200 that proves nothing',
    switches: [
      'body-empty',
      'body-foreign',
      'error-with-200',
      'declined-with-200',
      'code-30-with-200',
      'capture-without-status',
      'increase-without-hold',
    ],
  },
  { point: 'a request of the back office that arrives twice', switches: ['answer-of-copy'] },
  {
    point: 'a 200 of the back office that is about something else, or about less than was asked for',
    switches: [
      'answer-of-another',
      'answer-other-original',
      'answer-id-of-original',
      'answer-batch-open',
      'capture-took-less',
      'increase-took-less',
    ],
  },
  { point: 'a refund of a sale older than 90 days', switches: ['oldRefund'] },
  { point: 'holds, payments and batches in the hands of another system', switches: ['other-system'] },

  // Any answer
  {
    point: 'bodies that no description allows',
    switches: [
      'body-deep',
      'body-objects-for-texts',
      'body-strange-status',
      'body-numbers-as-texts',
      'body-huge-text',
      'body-card-numbers',
      'body-echoes-secrets',
    ],
  },
];
