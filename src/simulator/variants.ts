import type { ErrorShape } from './faults.js';

/** Where real deployments answer in more than one way, these say which. The defaults are what the description says. */
export interface Variants {
  /** A ping's outcome: a result by polling, or `result: "PING_PONG"` straight in the 202. */
  ping: 'result' | 'reply';
  /** The 202 carries no `transactionResultId` when a `callbackUrl` was sent. */
  acceptedWithoutResultId: boolean;
  terminalErrors: ErrorShape;
  /** What the status service says while the gateway has no record of a reference it was sent. */
  beforeRecord: 'UNDEFINED' | '404';
  /** What the status service calls a sale that was reversed as a whole. */
  reversedSale: 'CANCELLED' | 'REFUNDED';
  /** What the status service calls a partial approval. */
  partialInStatus: 'PARTIAL_APPROVAL' | 'AUTHORISED';
  /** The final result after the terminal took an approval back by itself. */
  forcedReversal: 'DECLINED' | 'CANCELLED';
  partialSpelling: 'PARTIAL_APPROVAL' | 'PARTIALLY_APPROVED';
  /** `efttimestamp`: ms, or `YYYYMMDDHHmmssSSS`. */
  timestamps: 'number' | 'text';
  customFields: 'array' | 'entry' | 'object';
  /** `httpStatus` of back-office answers. */
  httpStatus: 'number' | 'text';
  /** Receipts in results. A URL is served by the simulator itself. */
  receipts: 'html' | 'url' | 'none';
  /** A signature in results: a URL, or the base64 image of a failed upload. */
  signatures: 'url' | 'image';
}

export const DEFAULT_VARIANTS: Variants = {
  ping: 'result',
  acceptedWithoutResultId: false,
  terminalErrors: 'flat',
  beforeRecord: 'UNDEFINED',
  reversedSale: 'CANCELLED',
  partialInStatus: 'PARTIAL_APPROVAL',
  forcedReversal: 'DECLINED',
  partialSpelling: 'PARTIAL_APPROVAL',
  timestamps: 'number',
  customFields: 'array',
  httpStatus: 'number',
  receipts: 'html',
  signatures: 'url',
};
