/** How each example is played, and what its simulator's ledger says in the end. */

export interface Step {
  /** Name of the inject that is clicked, or the first words of it; absent: the flow starts by itself. */
  press?: string;
  /** Posted to the flow's own page, in place of a click. */
  post?: { path: string; body: object; status: number };
  /** A button of the flow's own page, and what the page says in the end. */
  visit?: { path: string; button: string; says: string };
  /** Names of the debug nodes that hear something, one message each. */
  hears: string[];
  /** Of `payload` of the last of them. */
  payload?: Record<string, unknown>;
  /** Restarts the flows after the click, while the terminal waits. */
  restart?: boolean;
}

export interface Play {
  steps: Step[];
  /** Kind and minor units of each entry, oldest first: what moved, or what is held more or less. */
  ledger: [kind: string, minor: number][];
}

/** What the kiosk's page makes up for an order. */
const KEY = '6f1c9d0e-2f5b-4c57-9d36-0f6f5a4c1b22';

const charge = (minor: number): [string, number] => ['charge', minor];

export const PLAYS: Record<string, Play> = {
  // The first of its player: it looks into a journal that holds nothing yet.
  'story-power-cut': {
    steps: [
      { hears: ['nothing there'] },
      {
        press: 'order 4711',
        restart: true,
        hears: ['delivered', 'in the journal', 'heard'],
        payload: { outcome: 'approved' },
      },
    ],
    ledger: [charge(1200)],
  },
  'story-kiosk-dashboard': {
    steps: [
      { visit: { path: '/dashboard/kiosk?pos=1', button: 'Coffee', says: 'Thank you! Paid: 2.50 EUR.' }, hears: [] },
    ],
    ledger: [charge(250)],
  },
  'payment-batch': {
    steps: [{ press: '10.00 EUR', hears: ['totals'], payload: { outcome: 'completed' } }],
    ledger: [charge(1000)],
  },
  'payment-callback-in': { steps: [{ press: '10.00 EUR', hears: ['done', 'result'] }], ledger: [charge(1000)] },
  'payment-device': {
    steps: [
      { press: 'list', hears: ['terminals'] },
      { press: 'ping', hears: ['ping'], payload: { outcome: 'completed', moneyMoved: 'no' } },
    ],
    ledger: [],
  },
  'payment-moto': { steps: [{ press: '10.00 EUR', hears: ['paid again'] }], ledger: [charge(1000), charge(1000)] },
  'payment-preauth': {
    steps: [{ press: 'hold 100.00 EUR', hears: ['captured'] }],
    ledger: [
      ['hold', 10_000],
      ['capture', 8800],
    ],
  },
  'payment-refund': {
    steps: [{ press: '10.00 EUR', hears: ['refunded'] }],
    ledger: [charge(1000), ['refund', -400]],
  },
  'payment-reversal': {
    steps: [{ press: '10.00 EUR', hears: ['reversed'] }],
    ledger: [charge(1000), ['reversal', -1000]],
  },
  'payment-sale': { steps: [{ press: '10.00 EUR', hears: ['hand over the goods'] }], ledger: [charge(1000)] },
  'payment-status': {
    steps: [{ press: '10.00 EUR', hears: ['net amount'], payload: { outcome: 'completed' } }],
    ledger: [charge(1000)],
  },
  'payment-tip': { steps: [{ press: '20.00 EUR', hears: ['tip set'] }], ledger: [charge(2000), ['tip', 200]] },
  'payment-token': { steps: [{ press: '10.00 EUR', hears: ['token'] }], ledger: [charge(1000)] },
  tour: {
    steps: [
      { press: '10.00', hears: ['done'], payload: { outcome: 'approved', moneyMoved: 'yes' } },
      { press: '37.84', hears: ['not done'], payload: { outcome: 'declined', moneyMoved: 'no' } },
      { press: '37.57', hears: ['needs attention'], payload: { outcome: 'partial', moneyMoved: 'partly' } },
      { press: '12,50', hears: ['mistake'] },
    ],
    ledger: [charge(1000), charge(1100)],
  },
  'story-kiosk': {
    steps: [
      { press: 'a drink', hears: ['delivered'], payload: { outcome: 'approved' } },
      { press: 'a slot that jams', hears: ['paid back'], payload: { outcome: 'refunded', moneyMoved: 'yes' } },
      { press: 'nobody pays', hears: ['not paid'], payload: { outcome: 'cancelled', moneyMoved: 'no' } },
    ],
    ledger: [charge(250), charge(260), ['reversal', -260]],
  },
  'story-hotel': {
    steps: [
      { press: 'check-in', hears: ['held'], payload: { outcome: 'approved', moneyMoved: 'no' } },
      { press: 'two more nights', hears: ['held more'] },
      { press: 'check-out', hears: ['paid'], payload: { outcome: 'approved', moneyMoved: 'yes' } },
      { press: 'check-out', hears: ['mistake'] },
      { press: 'check-in', hears: ['held'] },
      { press: 'the guest does not come', hears: ['released'], payload: { moneyMoved: 'no' } },
    ],
    ledger: [
      ['hold', 30_000],
      ['hold-change', 20_000],
      ['capture', 41_250],
      ['hold', 30_000],
      ['release', -30_000],
    ],
  },
  'story-restaurant': {
    steps: [
      { press: 'table 7', hears: ['paid'] },
      { press: 'a tip of 6.00', hears: ['tip added'], payload: { outcome: 'approved' } },
      { press: '8.00', hears: ['tip added'] },
    ],
    ledger: [charge(4000), ['tip', 600], ['tip', 200]],
  },
  'story-subscription': {
    steps: [
      { press: 'subscribe', hears: ['subscribed'] },
      { press: 'next month', hears: ['charged'], payload: { outcome: 'approved' } },
      { press: 'the card is declined', hears: ['ask for another card'], payload: { moneyMoved: 'no' } },
      { press: 'cancel the last month', hears: ['refunded'], payload: { outcome: 'refunded' } },
    ],
    ledger: [charge(990), charge(990), ['refund', -990]],
  },
  'story-end-of-day': {
    steps: [
      { press: 'three sales', hears: ['sold', 'sold', 'sold'] },
      { press: 'end of day', hears: ['the day'], payload: { operation: 'batch/detail', outcome: 'completed' } },
    ],
    ledger: [charge(750), charge(1200), charge(2000)],
  },
  'story-kiosk-page': {
    steps: [
      {
        post: { path: '/kiosk/orders', body: { key: KEY, product: 'coffee' }, status: 202 },
        hears: ['result'],
        payload: { outcome: 'approved', repeated: undefined },
      },
      {
        post: { path: '/kiosk/orders', body: { key: KEY, product: 'coffee' }, status: 202 },
        hears: ['result'],
        payload: { outcome: 'approved', repeated: true },
      },
      { post: { path: '/kiosk/orders', body: { key: 'no key', product: 'coffee' }, status: 400 }, hears: [] },
      { post: { path: `/kiosk/orders/${KEY}/cancel`, body: {}, status: 202 }, hears: [] },
      { post: { path: '/kiosk/orders/no-such-order/cancel', body: {}, status: 202 }, hears: ['mistake'] },
    ],
    ledger: [charge(250)],
  },
  'recipe-retry': {
    steps: [
      { press: 'two orders at once', hears: ['paid', 'paid'], payload: { outcome: 'approved' } },
      { press: 'a card that is declined', hears: ['ask for another card'], payload: { retry: 'after-cardholder' } },
      // Another try could not charge twice, but it would charge a customer who has cancelled.
      { press: 'a customer who cancels', hears: ['given up'], payload: { outcome: 'cancelled', retry: 'safe' } },
    ],
    ledger: [charge(1000), charge(1200)],
  },
  'recipe-remainder': {
    steps: [
      { press: 'a bill of 37.57, and another card', hears: ['paid in two parts'], payload: { outcome: 'approved' } },
      { press: 'a bill of 37.57, and nobody', hears: ['part paid back'], payload: { outcome: 'refunded' } },
    ],
    ledger: [charge(1100), charge(2657), charge(1100), ['reversal', -1100]],
  },
  'recipe-receipt': {
    steps: [{ press: '10.00 EUR', hears: ['e-mail'] }],
    ledger: [charge(1000)],
  },
  'recipe-alert': {
    steps: [
      { press: '10.00 EUR', hears: ['settled'] },
      { press: '37.57 EUR', hears: ['to the staff'] },
    ],
    ledger: [charge(1000), charge(1100)],
  },
};
