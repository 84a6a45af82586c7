import { InputError } from './errors.js';

/** Capabilities that depend on the merchant's acquirer: "Acquirer groups" of the API description, as one table. */

export type AcquirerGroup = 'B' | 'E' | 'S';
export const GROUPS: readonly AcquirerGroup[] = ['B', 'E', 'S'];

interface Offer {
  /** The name used in errors. */
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

/** A capability that some acquirer groups do not offer. */
export type Capability = keyof typeof OFFERS;

export function isOffered(capability: Capability, group: AcquirerGroup): boolean {
  const { groups }: Offer = OFFERS[capability];
  return groups.includes(group);
}

/**
 * @param field the value that needs the capability, and its source
 * @throws InputError with the group and the missing capability
 */
export function requireOffer(
  capability: Capability,
  group: AcquirerGroup,
  field: { source: string; value: unknown },
): void {
  if (isOffered(capability, group)) return;
  const expected = `no ${OFFERS[capability].what}, which acquirer group ${group} does not support`;
  throw new InputError(field.source, expected, field.value);
}
