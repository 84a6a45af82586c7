import type { ResultPayload } from '../../src/core/delivery/payload.js';
import { type BackOfficeOrder, originalOf } from '../../src/core/operation/back-office-order.js';
import { isReversal, kindOf } from '../../src/core/operation/kinds.js';
import type { EntryKind, LedgerEntry } from '../../src/simulator/index.js';
import { toMajor } from './decimals.js';
import type { Draw } from './draw.js';
import type { Request } from './flow.js';
import { type Balance, balanceOf } from './ledger.js';
import type { Message } from './scenario.js';

/** What a flow may ask for once a payment has gone through, and what that does to the money if it succeeds. */

export interface FollowUp {
  request: Request;
  effect: Effect;
}

/** What a payment has come to, minor units. */
export interface State extends Balance {
  /** Taken back in part. */
  reversed: number;
  /** What refunds of it have given back: a reversal does not take it off. */
  refunded: number;
  tipped: number;
}

/**
 * What success adds to a payment, minor units.
 * @param before what the payment has come to when it happens
 * @param surchargeOn what the service takes on top of an amount
 */
export type Effect = (before: State, surchargeOn: (amount: number) => number) => Balance;

const fixed =
  (moved: number, held = 0): Effect =>
  () => ({ moved, held });

interface Original {
  payload: ResultPayload;
  message: Message;
  /** What the chain has come to by now. */
  state: State;
  currency: string;
  id: string;
}

type Kind = (original: Original, draw: Draw) => FollowUp | undefined;

const backOffice = (order: BackOfficeOrder, effect: Effect = fixed(0)): FollowUp => ({
  request: { kind: 'back-office', order },
  effect,
});

const LET_ALL_GO: Effect = ({ moved, refunded, held }) => ({ moved: 0 - moved - refunded, held: -held });

type OnTerminal =
  | 'saleReversal'
  | 'refundReversal'
  | 'moToReversal'
  | 'refund'
  | 'moToRefund'
  | 'preAuthorizationReversal'
  | 'preAuthorizationCapture'
  | 'preAuthorizationIncrease';

const TAKING_BACK: ReadonlySet<OnTerminal> = new Set(['saleReversal', 'refundReversal', 'moToReversal']);

const onTerminal =
  (operation: OnTerminal): Kind =>
  ({ payload, message, state, id, currency }, draw) => {
    const { serial_number, terminal_type, policies } = message;
    // With the amount of a sale that has changed since, it would be a partial one.
    if (TAKING_BACK.has(operation) && (state.reversed !== 0 || state.tipped !== 0)) return undefined;
    const { amount, effect } = asked(operation, state, draw);
    const request = {
      operation,
      serial_number,
      terminal_type,
      customerReference: id,
      originalTransactionId: payload.transactionId,
      ...(amount === undefined ? {} : { amount: String(amount), currency }),
    };
    const order = { request, policies, origin: { node: message.node, message: {} } };
    return { request: { kind: 'terminal', order }, effect };
  };

function asked(
  operation: OnTerminal,
  { moved, held }: State,
  draw: Draw,
): { amount: number | undefined; effect: Effect } {
  const change = draw.pick([100, 200, -100]);
  switch (operation) {
    case 'saleReversal':
    case 'refundReversal':
    case 'moToReversal':
      // It takes the place of a partial one that came before it.
      return { amount: Math.abs(moved), effect: ({ reversed }) => ({ moved: reversed - moved, held: 0 }) };
    case 'refund':
    case 'moToRefund':
      return { amount: 100, effect: fixed(-100) };
    // Of a captured hold it cancels the capture.
    case 'preAuthorizationReversal':
      return { amount: undefined, effect: LET_ALL_GO };
    case 'preAuthorizationCapture':
      return {
        amount: held,
        effect: (before, surchargeOn) => ({ moved: held + surchargeOn(held), held: -before.held }),
      };
    case 'preAuthorizationIncrease':
      return { amount: change, effect: fixed(0, change) };
  }
}

const reversal: Kind = ({ payload }) =>
  backOffice({ operation: 'reversal', body: { originalGuid: payload.transactionId } }, LET_ALL_GO);

/** A later one takes the place of an earlier one. */
const partialReversal: Kind = ({ payload, currency }, draw) => {
  const amount = draw.int(1, 3) * 100;
  const body = { originalGuid: payload.transactionId, amount: toMajor(amount, currency), currency };
  return backOffice({ operation: 'reversal', body }, ({ reversed }) => ({ moved: reversed - amount, held: 0 }));
};

/** The last one counts. */
const tip: Kind = ({ payload, message, currency }, draw) => {
  // After a tip screen the service would replace the cardholder's tip.
  if (message.extras.tipConfiguration !== undefined) return undefined;
  const amount = draw.int(1, 3) * 100;
  const body = { transactionID: payload.transactionId, amount: toMajor(amount, currency), currency };
  return backOffice({ operation: 'tip-adjustment', body }, ({ tipped }) => ({ moved: amount - tipped, held: 0 }));
};

const motoRefund: Kind = ({ payload, currency }) =>
  backOffice(
    {
      operation: 'moto/refund',
      body: { originalGuid: payload.transactionId, amount: toMajor(150, currency), currency },
    },
    fixed(-150),
  );

const motoReversal: Kind = ({ payload, state, currency }) =>
  backOffice(
    {
      operation: 'moto/reversal',
      body: { originalGuid: payload.transactionId, amount: toMajor(state.moved, currency), currency },
    },
    fixed(-state.moved),
  );

const token: Kind = ({ payload }) => backOffice({ operation: 'token', body: { transactionID: payload.transactionId } });

const capture: Kind = ({ payload, state, currency }, draw) => {
  const captured = draw.pick([500, 500, state.held]);
  const tipped = draw.pick([0, 50]);
  const body = {
    originalGuid: payload.transactionId,
    capturedAmount: toMajor(captured, currency),
    ...(tipped === 0 ? {} : { tipAmount: toMajor(tipped, currency) }),
    currency,
  };
  return backOffice({ operation: 'preauthorization/capture', body }, ({ held }, surchargeOn) => ({
    moved: captured + tipped + surchargeOn(captured + tipped),
    held: -held,
  }));
};

const change =
  (sign: 1 | -1): Kind =>
  ({ payload, currency }, draw) => {
    const amount = draw.pick([100, 200]);
    const body = {
      originalGuid: payload.transactionId,
      increaseAmount: toMajor(amount, currency),
      currency,
      ...(sign === -1 ? { subtract: '1' as const } : {}),
    };
    return backOffice({ operation: 'preauthorization/increase', body }, fixed(0, sign * amount));
  };

/** @param batchNumber absent: whichever is open */
export function batchClose({ serial_number, terminal_type }: Message, batchNumber?: string): FollowUp {
  const body = { serialNumber: serial_number, deviceType: terminal_type };
  return backOffice({ operation: 'batch/close', body: batchNumber === undefined ? body : { ...body, batchNumber } });
}

const BATCHES = ['123', '1'] as const;

const batchLook =
  (operation: 'batch/summary' | 'batch/detail'): Kind =>
  ({ message: { serial_number, terminal_type } }, draw) => {
    const batchNumber = draw.pick(BATCHES);
    return backOffice({ operation, body: { serialNumber: serial_number, deviceType: terminal_type, batchNumber } });
  };

const afterSale: readonly [Kind, ...Kind[]] = [
  reversal,
  partialReversal,
  tip,
  motoRefund,
  token,
  ({ message }) => batchClose(message),
  batchLook('batch/summary'),
  batchLook('batch/detail'),
  onTerminal('saleReversal'),
  onTerminal('refund'),
];

const afterHold: readonly [Kind, ...Kind[]] = [
  reversal,
  capture,
  capture,
  change(1),
  change(1),
  change(-1),
  onTerminal('preAuthorizationReversal'),
  onTerminal('preAuthorizationCapture'),
  onTerminal('preAuthorizationIncrease'),
];

const AFTER: Partial<Record<Message['operation'], readonly [Kind, ...Kind[]]>> = {
  sale: afterSale,
  saleAndTokenizeCard: afterSale,
  refund: [reversal, onTerminal('refundReversal')],
  moToSale: [reversal, motoReversal, motoRefund, onTerminal('moToReversal'), onTerminal('moToRefund')],
  moToRefund: [reversal],
  preAuthorization: afterHold,
  moToPreAuthorization: afterHold,
};

/** Something that fits what has been paid; undefined where nothing does. */
export function followUpOf(
  message: Message,
  payload: ResultPayload,
  id: string,
  entries: readonly LedgerEntry[],
  draw: Draw,
): FollowUp | undefined {
  const kinds = AFTER[message.operation];
  if (kinds === undefined || payload.transactionId === '') return undefined;
  const state = stateOf(entries, payload.transactionId);
  const original = { payload, message, state, currency: message.currency, id };
  return draw.pick(kinds)(original, draw);
}

/** What the entries of a chain say of its payment. */
export function stateOf(entries: readonly LedgerEntry[], payment: string): State {
  // Of the payment itself: a refund that its terminal took back is nothing to it.
  const own = entries.filter(({ transactionId, originalId }) => [transactionId, originalId].includes(payment));
  const sum = (kind: EntryKind): number => balanceOf(own.filter((entry) => entry.kind === kind)).moved;
  return {
    ...balanceOf(entries),
    reversed: -sum('reversal'),
    refunded: refundedOf(entries, payment),
    tipped: sum('tip'),
  };
}

/** What refunds of a payment have given back, less what was reversed of them. */
function refundedOf(entries: readonly LedgerEntry[], payment: string): number {
  const refunds = entries.filter(({ kind, originalId }) => kind === 'refund' && originalId === payment);
  const ids = new Set(refunds.map(({ transactionId }) => transactionId));
  return 0 - balanceOf(entries.filter((entry) => ids.has(entry.transactionId) || ids.has(entry.originalId))).moved;
}

/** As the nodes ask for what gives money back, unless their author does not want it: at most what is left. */
export function atMostLeft({ request, effect }: FollowUp): FollowUp {
  const operation = request.kind === 'terminal' ? request.order.request.operation : request.order.operation;
  if (kindOf(operation) !== 'refund' && !isReversal(operation)) return { request, effect };
  const limit = { atMostLeft: { source: 'amount' } };
  const limited: Request =
    request.kind === 'terminal'
      ? { kind: 'terminal', order: { ...request.order, ...limit } }
      : { kind: 'back-office', order: { ...request.order, ...limit } };
  return { request: limited, effect };
}

/** As a result that is wired into the next node brings its reference along. */
export function withReference(followUp: FollowUp, { reference }: ResultPayload): FollowUp {
  if (followUp.request.kind !== 'back-office' || reference === '') return followUp;
  const { order } = followUp.request;
  if (originalOf(order) === undefined) return followUp;
  return { ...followUp, request: { kind: 'back-office', order: { ...order, originalReference: reference } } };
}

/** A payment without the card, with the token that a sale brought. @param amount minor units */
export function paymentByToken(
  payload: ResultPayload,
  currency: string,
  id: string,
  isRefund: boolean,
  amount = 300,
): FollowUp | undefined {
  const cardToken = payload.card.token;
  if (cardToken === undefined) return undefined;
  const body = { amount: toMajor(amount, currency), currency, cardToken, customerReference: id };
  return isRefund
    ? backOffice({ operation: 'moto/refund', body }, fixed(-amount))
    : backOffice({ operation: 'moto/sale', body }, (_before, surchargeOn) => ({
        moved: amount + surchargeOn(amount),
        held: 0,
      }));
}

/** The same payment by token as a message of its own. */
export function againAs(id: string, { request, effect }: FollowUp): FollowUp {
  if (request.kind !== 'back-office') return { request, effect };
  const { order } = request;
  const body = { ...order.body, customerReference: id };
  return { request: { kind: 'back-office', order: { ...order, body } as BackOfficeOrder }, effect };
}

/** Of a hold whose id was mistyped, or that is of another merchant: nobody knows it. */
export function changeOfUnknownHold({ currency }: Message, draw: Draw): FollowUp {
  const originalGuid = draw.pick(['0b5c4f3e-9d1a-4c7e-8f21-6a3d2e1b0c9f', 'hold-4711']);
  const amount = toMajor(500, currency);
  return draw.chance(0.5)
    ? backOffice({ operation: 'preauthorization/capture', body: { originalGuid, capturedAmount: amount, currency } })
    : backOffice({ operation: 'preauthorization/increase', body: { originalGuid, increaseAmount: amount, currency } });
}

/** A question that counts against the rate limit and moves nothing. */
export function batchQuestion({ serial_number, terminal_type }: Message): FollowUp {
  const body = { serialNumber: serial_number, deviceType: terminal_type, batchNumber: '1' };
  return backOffice({ operation: 'batch/summary', body });
}
