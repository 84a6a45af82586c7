import type { EntryMode, Scheme, Tender, Verification } from './vocabulary.js';

/** A card as a person, a page or a test presents it. Missing fields are those of an ordinary contactless VISA. */
export interface CardInput {
  scheme?: Scheme;
  entry?: EntryMode;
  last4?: string;
  /** The whole number. Overrides `scheme` and `last4`; leaves the simulator only as `unMaskedPan`. */
  pan?: string;
  /** MMYY. */
  expiry?: string;
  tender?: Tender;
  /** How the card verifies its holder. By default contactless not at all, chip by PIN, magnetic stripe by signature. */
  verification?: Verification;
  holder?: string;
  /** The reader fails to read the card this time. */
  unreadable?: boolean;
}

export interface Card {
  scheme: Scheme;
  pan: string;
  masked: string;
  expiry: string;
  tender: Tender;
  entry: EntryMode;
  verification: Verification;
  holder: string;
  /** Read by a fallback method, such as swiping a chip card. */
  fallback: boolean;
}

const ISSUER_NUMBERS: Record<Scheme, string> = {
  VISA: '411111',
  MASTERCARD: '545454',
  MAESTRO: '675911',
  AMEX: '374245',
  DISCOVER: '601100',
  JCB: '353011',
  DINERS: '360012',
  UNIONPAY: '625094',
  INTERAC: '450644',
};

const LENGTHS: Partial<Record<Scheme, number>> = { AMEX: 15, DINERS: 14 };

const VERIFIED_BY: Record<EntryMode, Verification> = {
  CONTACTLESS_ICC: 'NOT_REQUIRED',
  ICC: 'PIN',
  MAG_STRIPE: 'SIGNATURE',
  CNP: 'NOT_REQUIRED',
};

export function makeCard(input: CardInput, fallback = false): Card {
  const scheme = input.scheme ?? (input.pan === undefined ? 'VISA' : schemeOf(input.pan));
  const entry = input.entry ?? 'CONTACTLESS_ICC';
  const pan = input.pan ?? makePan(scheme, input.last4 ?? '1111');
  return {
    scheme,
    pan,
    masked: `${'*'.repeat(pan.length - 4)}${pan.slice(-4)}`,
    expiry: input.expiry ?? '1230',
    tender: input.tender ?? (scheme === 'INTERAC' || scheme === 'MAESTRO' ? 'DEBIT' : 'CREDIT'),
    entry,
    verification: input.verification ?? VERIFIED_BY[entry],
    holder: input.holder ?? '',
    fallback,
  };
}

function schemeOf(pan: string): Scheme {
  const known = (Object.keys(ISSUER_NUMBERS) as Scheme[]).find((scheme) => pan.startsWith(ISSUER_NUMBERS[scheme]));
  if (known !== undefined) return known;
  if (pan.startsWith('5') || pan.startsWith('2')) return 'MASTERCARD';
  return pan.startsWith('34') || pan.startsWith('37') ? 'AMEX' : 'VISA';
}

/** A number of the scheme with these last digits; one digit in the middle is chosen to make the check digit valid. */
function makePan(scheme: Scheme, last4: string): string {
  const issuer = ISSUER_NUMBERS[scheme];
  const filler = '0'.repeat((LENGTHS[scheme] ?? 16) - issuer.length - last4.length - 1);
  for (let digit = 0; digit < 10; digit++) {
    const pan = `${issuer}${filler}${digit}${last4}`;
    if (hasCheckDigit(pan)) return pan;
  }
  throw new Error(`no ${scheme} number ends in ${last4}`);
}

function hasCheckDigit(pan: string): boolean {
  let sum = 0;
  for (let place = 0; place < pan.length; place++) {
    const digit = Number(pan[pan.length - 1 - place]);
    const weighed = place % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}
