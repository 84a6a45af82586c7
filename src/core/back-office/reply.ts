import type { Client } from '../api/client.js';
import type { MotoResult } from '../api/moto.js';
import type { PreauthorizationResult } from '../api/preauthorization.js';
import type { ReversalResult } from '../api/reversal.js';
import type { CallOptions } from '../api/transport.js';
import type { BackOfficeOrder } from './operations.js';

/** An answer of the back office, whichever endpoint gave it. */
export interface Reply {
  approved: boolean;
  /** The answer's own id of what was done. */
  transactionId?: string;
  masked?: string;
  scheme?: string;
  expiry?: string;
  /** A secret: for the message alone. */
  token?: string;
  authorisationCode?: string;
  issuerCode?: string;
  batch?: string;
  /** Of what was done. Major units. */
  amount?: string;
  /** On top of the amount. Major units. */
  tip?: string;
  currency?: string;
  /** What is held by now. Major units. */
  hold?: string;
  /** The type of what was done, where the answer says it. */
  type?: string;
  /** The body as it came. */
  raw: Record<string, unknown>;
}

/** Sends an order, once. `reference`: ours, for what starts a chain of its own. */
export async function ask(
  client: Client,
  order: BackOfficeOrder,
  reference: string | undefined,
  options: CallOptions,
): Promise<Reply> {
  const own = reference === undefined ? {} : { transactionReference: reference };
  switch (order.operation) {
    case 'reversal': {
      const read = await client.reversal.reverse(order.body, options);
      return { ...paymentOf(read), transactionId: read.reversalGuid ?? read.transactionID };
    }
    case 'moto/sale':
      return motoOf(await client.moto.sale({ ...order.body, ...own }, options));
    case 'moto/refund':
      return motoOf(await client.moto.refund({ ...order.body, ...own }, options));
    case 'moto/reversal':
      return motoOf(await client.moto.reversal(order.body, options));
    case 'preauthorization/capture': {
      const read = await client.preauthorization.capture(order.body, options);
      const { preAuthorizationCaptureGuid, transactionID, capturedAmount: amount, tipAmount: tip } = read;
      return { ...paymentOf(read), transactionId: preAuthorizationCaptureGuid ?? transactionID, amount, tip };
    }
    case 'preauthorization/increase': {
      const read = await client.preauthorization.increase(order.body, options);
      const { transactionID: transactionId, holdAmount: hold, increaseAmount: amount } = read;
      return { ...paymentOf(read), transactionId, hold, amount };
    }
    case 'tip-adjustment':
      return { approved: true, raw: (await client.tip.adjust(order.body, options)).raw };
    case 'token': {
      const read = await client.token.fetch(order.body.transactionID, options);
      const { cardToken: token, maskedCardNumber: masked, expiryDateMMYY: expiry, raw } = read;
      return { approved: true, token, masked, expiry, raw };
    }
    case 'batch/close':
      return batchOf(await client.batch.close(order.body, options));
    case 'batch/summary':
      return batchOf(await client.batch.summary(order.body, options));
    case 'batch/detail':
      return batchOf(await client.batch.detail(order.body, options));
  }
}

function paymentOf(read: ReversalResult | MotoResult | PreauthorizationResult): Reply {
  return {
    approved: read.approved,
    masked: read.maskedCardNumber,
    scheme: read.cardTypeName,
    expiry: read.expiryDateMMYY,
    authorisationCode: read.approvalCode ?? read.authorisationCode,
    issuerCode: read.issuerResponseCode,
    batch: read.batchNumber,
    amount: read.amount,
    currency: read.currency,
    type: read.type,
    raw: read.raw,
  };
}

function motoOf(read: MotoResult): Reply {
  return { ...paymentOf(read), transactionId: read.guid };
}

function batchOf(read: { batchNumber?: string; issuerResponseCode?: string; raw: Record<string, unknown> }): Reply {
  const { batchNumber: batch, issuerResponseCode: issuerCode = '', raw } = read;
  return { approved: issuerCode === '' || issuerCode === '00', batch, issuerCode, raw };
}
