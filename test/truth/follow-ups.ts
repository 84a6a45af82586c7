import type { ResultPayload } from '../../src/core/delivery/payload.js';
import { type BackOfficeOrder, originalOf } from '../../src/core/operation/back-office-order.js';
import type { EntryKind, LedgerEntry } from '../../src/simulator/index.js';
import type { Draw } from './draw.js';
import type { Asked, Request } from './flow.js';
import { type Balance, balanceOf } from './ledger.js';
import type { Message } from './scenario.js';

/** What a flow may ask for once a payment has gone through, and what that does to the money if it succeeds. */

export interface FollowUp {
  request: Request;
  /** What success adds, minor units. */
  effect: Balance;
}

interface Original {
  payload: ResultPayload;
  message: Message;
  /** What the chain has moved and holds by now. */
  balance: Balance;
  /** What was taken back in part by now, and what was tipped. */
  reversed: number;
  tipped: number;
  id: string;
}

type Kind = (original: Original, draw: Draw) => FollowUp | undefined;

const CURRENCY = 'EUR';

const backOffice = (order: BackOfficeOrder, moved: number, held = 0): FollowUp => ({
  request: { kind: 'back-office', order },
  effect: { moved, held },
});

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
  ({ payload, message, balance, id, reversed, tipped }, draw) => {
    const { serial_number, terminal_type, policies } = message;
    // With the amount of a sale that has changed since, it would be a partial one.
    if (TAKING_BACK.has(operation) && (reversed !== 0 || tipped !== 0)) return undefined;
    const { amount, effect } = asked(operation, balance, draw);
    const request = {
      operation,
      serial_number,
      terminal_type,
      customerReference: id,
      originalTransactionId: payload.transactionId,
      ...(amount === undefined ? {} : { amount: String(amount), currency: CURRENCY }),
    };
    const order = { request, policies, origin: { node: message.node, message: {} } };
    return { request: { kind: 'terminal', order }, effect };
  };

function asked(
  operation: OnTerminal,
  { moved, held }: Balance,
  draw: Draw,
): { amount: number | undefined; effect: Balance } {
  const change = draw.pick([100, 200, -100]);
  switch (operation) {
    case 'saleReversal':
    case 'refundReversal':
    case 'moToReversal':
      return { amount: Math.abs(moved), effect: { moved: -moved, held: 0 } };
    case 'refund':
    case 'moToRefund':
      return { amount: 100, effect: { moved: -100, held: 0 } };
    // Of a captured hold it cancels the capture.
    case 'preAuthorizationReversal':
      return { amount: undefined, effect: { moved: -moved, held: -held } };
    case 'preAuthorizationCapture':
      return { amount: held, effect: { moved: held, held: -held } };
    case 'preAuthorizationIncrease':
      return { amount: change, effect: { moved: 0, held: change } };
  }
}

const reversal: Kind = ({ payload, balance }) =>
  backOffice({ operation: 'reversal', body: { originalGuid: payload.transactionId } }, -balance.moved, -balance.held);

/** A later one takes the place of an earlier one. */
const partialReversal: Kind = ({ payload, reversed }, draw) => {
  const amount = draw.int(1, 3);
  const body = { originalGuid: payload.transactionId, amount: `${amount}.00`, currency: CURRENCY };
  return backOffice({ operation: 'reversal', body }, reversed - amount * 100);
};

/** The last one counts. */
const tip: Kind = ({ payload, message, tipped }, draw) => {
  // After a tip screen the service would replace the cardholder's tip.
  if (message.extras.tipConfiguration !== undefined) return undefined;
  const amount = draw.int(1, 3);
  const body = { transactionID: payload.transactionId, amount: `${amount}.00`, currency: CURRENCY };
  return backOffice({ operation: 'tip-adjustment', body }, amount * 100 - tipped);
};

const motoRefund: Kind = ({ payload }) =>
  backOffice(
    { operation: 'moto/refund', body: { originalGuid: payload.transactionId, amount: '1.50', currency: CURRENCY } },
    -150,
  );

const motoReversal: Kind = ({ payload, balance }) =>
  backOffice(
    {
      operation: 'moto/reversal',
      body: {
        originalGuid: payload.transactionId,
        amount: (balance.moved / 100).toFixed(2),
        currency: CURRENCY,
      },
    },
    -balance.moved,
  );

const token: Kind = ({ payload }) =>
  backOffice({ operation: 'token', body: { transactionID: payload.transactionId } }, 0);

const capture: Kind = ({ payload, balance }, draw) => {
  const captured = draw.pick([500, 500, balance.held]);
  const tipped = draw.pick([0, 50]);
  const body = {
    originalGuid: payload.transactionId,
    capturedAmount: (captured / 100).toFixed(2),
    ...(tipped === 0 ? {} : { tipAmount: (tipped / 100).toFixed(2) }),
    currency: CURRENCY,
  };
  return backOffice({ operation: 'preauthorization/capture', body }, captured + tipped, -balance.held);
};

const change =
  (sign: 1 | -1): Kind =>
  ({ payload }, draw) => {
    const amount = draw.pick([100, 200]);
    const increaseAmount = (amount / 100).toFixed(2);
    const body = {
      originalGuid: payload.transactionId,
      increaseAmount,
      currency: CURRENCY,
      ...(sign === -1 ? { subtract: '1' as const } : {}),
    };
    return backOffice({ operation: 'preauthorization/increase', body }, 0, sign * amount);
  };

const batchClose: Kind = ({ message }) =>
  backOffice(
    { operation: 'batch/close', body: { serialNumber: message.serial_number, deviceType: message.terminal_type } },
    0,
  );

const BATCHES = ['123', '1'] as const;

const batchLook =
  (operation: 'batch/summary' | 'batch/detail'): Kind =>
  ({ message: { serial_number, terminal_type } }, draw) => {
    const batchNumber = draw.pick(BATCHES);
    return backOffice({ operation, body: { serialNumber: serial_number, deviceType: terminal_type, batchNumber } }, 0);
  };

const afterSale: readonly [Kind, ...Kind[]] = [
  reversal,
  partialReversal,
  tip,
  motoRefund,
  token,
  batchClose,
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
  root: Asked,
  id: string,
  entries: readonly LedgerEntry[],
  draw: Draw,
): FollowUp | undefined {
  const payload = root.heard.at(-1)?.telling.payload;
  const kinds = AFTER[message.operation];
  if (payload === undefined || kinds === undefined || payload.transactionId === '') return undefined;
  // Of the payment itself: a refund that its terminal took back is nothing to it.
  const own = entries.filter(({ transactionId, originalId }) =>
    [transactionId, originalId].includes(payload.transactionId),
  );
  const sum = (kind: EntryKind): number => balanceOf(own.filter((entry) => entry.kind === kind)).moved;
  const reversed = -sum('reversal');
  const original = { payload, message, balance: balanceOf(entries), reversed, tipped: sum('tip'), id };
  return withReference(draw.pick(kinds)(original, draw), payload);
}

/** As a result that is wired into the next node brings its reference along. */
function withReference(followUp: FollowUp | undefined, { reference }: ResultPayload): FollowUp | undefined {
  if (followUp?.request.kind !== 'back-office' || reference === '') return followUp;
  const { order } = followUp.request;
  if (originalOf(order) === undefined) return followUp;
  return { ...followUp, request: { kind: 'back-office', order: { ...order, originalReference: reference } } };
}

/** A payment without the card, with the token that a sale brought. */
export function paymentByToken(payload: ResultPayload, id: string, draw: Draw): FollowUp | undefined {
  const cardToken = payload.card.token;
  if (cardToken === undefined) return undefined;
  const isRefund = draw.chance(0.4);
  const body = { amount: '3.00', currency: CURRENCY, cardToken, customerReference: id };
  return isRefund
    ? backOffice({ operation: 'moto/refund', body }, -300)
    : backOffice({ operation: 'moto/sale', body }, 300);
}
