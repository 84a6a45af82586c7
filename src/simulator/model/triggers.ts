/** The amounts (minor units) that force an outcome at the DEMO merchant's simulated acquirer. */

export type Trigger =
  | { outcome: 'declined'; code: string }
  | { outcome: 'partial'; approved: number }
  | { outcome: 'failed'; message: string }
  /** Declined unless the cardholder inserts the card and enters a PIN. */
  | { outcome: 'authenticate'; code: string };

const TRIGGERS = new Map<number, Trigger>([
  [3779, { outcome: 'declined', code: '01' }],
  [3784, { outcome: 'declined', code: '05' }],
  [3793, { outcome: 'declined', code: '04' }],
  [3757, { outcome: 'partial', approved: 1100 }],
  [3768, { outcome: 'failed', message: 'Connection error to authorisation provider' }],
  [3741, { outcome: 'failed', message: 'Processing error' }],
  [6165, { outcome: 'authenticate', code: '61' }],
  ...[155, 165, 1102, 1104, 1110, 1112, 1114, 1115, 1116, 1117, 1118, 1119].map((amount): [number, Trigger] => [
    amount,
    { outcome: 'authenticate', code: '65' },
  ]),
  ...[1101, 1103, 1109, 1111].map((amount): [number, Trigger] => [amount, { outcome: 'authenticate', code: '70' }]),
]);

/** What a person lets the bank say, by the kind of the fault. Approval needs none. */
const WANTED: Readonly<Record<string, (amount: number) => Trigger>> = {
  'bank-declines': () => ({ outcome: 'declined', code: '05' }),
  'bank-insufficient-funds': () => ({ outcome: 'declined', code: '51' }),
  'bank-expired-card': () => ({ outcome: 'declined', code: '54' }),
  'bank-lost-card': () => ({ outcome: 'declined', code: '41' }),
  'bank-approves-part': (amount) => ({ outcome: 'partial', approved: Math.ceil(amount / 2) }),
};

/** @param kind of the fault @param amount minor units */
export function wantedAnswer(kind: string, amount: number): Trigger | undefined {
  return WANTED[kind]?.(amount);
}

export function triggerFor(amount: number): Trigger | undefined {
  return TRIGGERS.get(amount);
}
