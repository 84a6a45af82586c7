import { InputError } from './errors.js';

/** What depends on the acquirer of a merchant: "Acquirer groups" of the API description, as one table. */

export type AcquirerGroup = 'B' | 'E' | 'S';
export const GROUPS: readonly AcquirerGroup[] = ['B', 'E', 'S'];

interface Offer {
  /** As an error names it. */
  what: string;
  groups: readonly AcquirerGroup[];
}

const OFFERS = {
  batch: { what: 'batch operation', groups: ['B'] },
  tipAdjustment: { what: 'tip adjustment', groups: ['B', 'S'] },
  partialReversal: { what: 'partial reversal', groups: ['B'] },
  tokenPayment: { what: 'payment with a stored token', groups: ['B', 'E'] },
  deferredToken: { what: 'token of an earlier payment', groups: ['B'] },
  addressCheck: { what: 'address check', groups: ['B'] },
  moneyRemittance: { what: 'money remittance', groups: ['E'] },
} as const satisfies Record<string, Offer>;

/** What not every acquirer group offers. */
export type Capability = keyof typeof OFFERS;

export function isOffered(capability: Capability, group: AcquirerGroup): boolean {
  const { groups }: Offer = OFFERS[capability];
  return groups.includes(group);
}

/**
 * @param asked what asks for it: where the value came from, and the value
 * @throws InputError naming the group and what it does not offer
 */
export function requireOffer(
  capability: Capability,
  group: AcquirerGroup,
  asked: { source: string; value: unknown },
): void {
  if (isOffered(capability, group)) return;
  const expected = `no ${OFFERS[capability].what}, which acquirer group ${group} does not offer`;
  throw new InputError(asked.source, expected, asked.value);
}
