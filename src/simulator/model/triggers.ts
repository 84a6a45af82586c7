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

export function triggerFor(amount: number): Trigger | undefined {
  return TRIGGERS.get(amount);
}
