import * as z from 'zod';
import { filledText } from './fields.js';

/**
 * `merchantAuth`: sends the money to a merchant account other than the terminal's own (spec: MerchantAuth and
 * Credential).
 */

const ACQUIRERS = ['AMEX', 'BORGUN', 'OMNIPAY', 'POSTBRIDGE', 'TSYS', 'VANTIV', 'SANDBOX'] as const;

const credential = z
  .strictObject({
    acquirer: z.enum(ACQUIRERS).optional(),
    mid: filledText.optional(),
    tid: filledText.optional(),
    mcc: filledText.optional(),
    externalId: z.string().min(1).max(23).optional(),
  })
  .superRefine(({ acquirer, mid, tid, mcc, externalId }, context) => {
    const named = [mid, tid, mcc].filter((part) => part !== undefined).length;
    if (externalId !== undefined && (named > 0 || acquirer !== undefined)) {
      context.addIssue({ code: 'custom', path: ['externalId'], message: 'an externalId alone, without other fields' });
    }
    if (externalId === undefined && named === 0) {
      context.addIssue({ code: 'custom', message: 'externalId alone, or at least one of mid, tid and mcc' });
    }
  });

export const merchantAuth = z
  .array(credential)
  .min(1)
  .superRefine((credentials, context) => {
    if (credentials.length === 1) return;
    const seen = new Set<string>();
    credentials.forEach(({ acquirer }, index) => {
      if (acquirer === undefined || seen.has(acquirer)) {
        const message = 'a different acquirer in each of several elements';
        context.addIssue({ code: 'custom', path: [index, 'acquirer'], message });
      } else seen.add(acquirer);
    });
  });

export type MerchantAuth = z.infer<typeof merchantAuth>;
