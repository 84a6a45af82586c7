import type { ErrorShape } from '../infra/faults.js';
import { READING_VALUES, type Readings } from './reading-values.js';

/** Where real deployments answer in more than one way, these say which. The defaults are what the description says. */
interface Spellings {
  /** A ping's outcome: a result by polling, or `result: "PING_PONG"` straight in the 202. */
  ping: 'result' | 'reply';
  /** The 202 carries no `transactionResultId` when a `callbackUrl` was sent. */
  acceptedWithoutResultId: boolean;
  terminalErrors: ErrorShape;
  /** The status service's response while the gateway has no record of a reference. */
  beforeRecord: 'UNDEFINED' | '404';
  /** The status of a sale that was reversed in full. */
  reversedSale: 'CANCELLED' | 'REFUNDED';
  /** The status of a partial approval. */
  partialInStatus: 'PARTIAL_APPROVAL' | 'AUTHORISED';
  /** The final status after the terminal itself reversed an approval. */
  forcedReversal: 'DECLINED' | 'CANCELLED';
  partialSpelling: 'PARTIAL_APPROVAL' | 'PARTIALLY_APPROVED';
  /** `efttimestamp`: epoch ms, or `YYYYMMDDHHmmssSSS`. */
  timestamps: 'number' | 'text';
  customFields: 'array' | 'entry' | 'object';
  /** The type of `httpStatus` in back-office responses. */
  httpStatus: 'number' | 'text';
  /** Receipts in results. The simulator itself serves the URLs. */
  receipts: 'html' | 'url' | 'none';
  /** A signature in results: a URL, or the base64 image that is sent when the upload failed. */
  signatures: 'url' | 'image';
}

/** All that a deployment can differ in. */
export type Variants = Spellings & Readings;

/** Every value that a way of answering may have; the first is the default. */
export const VARIANT_VALUES: {
  readonly [Name in keyof Variants]: readonly [Variants[Name], ...Variants[Name][]];
} = {
  ping: ['result', 'reply'],
  acceptedWithoutResultId: [false, true],
  terminalErrors: ['flat', 'nested', 'text', 'status'],
  beforeRecord: ['UNDEFINED', '404'],
  reversedSale: ['CANCELLED', 'REFUNDED'],
  partialInStatus: ['PARTIAL_APPROVAL', 'AUTHORISED'],
  forcedReversal: ['DECLINED', 'CANCELLED'],
  partialSpelling: ['PARTIAL_APPROVAL', 'PARTIALLY_APPROVED'],
  timestamps: ['number', 'text'],
  customFields: ['array', 'entry', 'object'],
  httpStatus: ['number', 'text'],
  receipts: ['html', 'url', 'none'],
  signatures: ['url', 'image'],
  ...READING_VALUES,
};

export const DEFAULT_VARIANTS = Object.fromEntries(
  Object.entries(VARIANT_VALUES).map(([name, [first]]) => [name, first]),
) as unknown as Variants;

/** Whether `name` is a variant and `value` one of its values. */
export function isVariant(name: string, value: unknown): boolean {
  const values: readonly unknown[] = Object.hasOwn(VARIANT_VALUES, name) ? VARIANT_VALUES[name as keyof Variants] : [];
  return values.includes(value);
}

/** The same, with somebody who hears which of them is looked at. */
export function overheard(variants: Variants, hears: (name: keyof Variants) => void): Variants {
  const heard = {} as Variants;
  for (const name of Object.keys(variants) as (keyof Variants)[]) {
    Object.defineProperty(heard, name, {
      enumerable: true,
      get: () => {
        hears(name);
        return variants[name];
      },
      set: (value: never) => {
        variants[name] = value;
      },
    });
  }
  return heard;
}
