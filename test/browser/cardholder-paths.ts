import type { Page } from 'playwright-core';
import { cancelAt, choose, insert, key, removeCard, says, sign, typePin } from './hands.js';

/** What a person can do at the virtual terminal, and how a sale ends by it. */

export interface Path {
  what: string;
  /** What the message says; 10.00 unless told, each time another, so that none is a repetition. */
  amount?: string;
  node?: string;
  /** The card in the hand. */
  card?: RegExp;
  /** What the person does. */
  act(page: Page): Promise<void>;
  ends: [output: string, outcome: string, moneyMoved: string];
  /** What the ledger says in the end, minor units. */
  moved: number;
}

const APPROVED: Path['ends'] = ['done', 'approved', 'yes'];
const CANCELLED: Path['ends'] = ['not-done', 'cancelled', 'no'];
const DECLINED: Path['ends'] = ['not-done', 'declined', 'no'];

export const PATHS: Path[] = [
  { what: 'taps', amount: '10.01', act: (page) => key(page, 'Tap').click(), ends: APPROVED, moved: 1001 },
  {
    what: 'does not mean to pay the same again',
    amount: '10.01',
    async act(page) {
      await key(page, 'Tap').click();
      await says(page, 'Pay again?');
      await page.getByRole('button', { name: 'No', exact: true }).click();
    },
    ends: CANCELLED,
    moved: 0,
  },
  {
    what: 'means to pay the same again',
    amount: '10.01',
    async act(page) {
      await key(page, 'Tap').click();
      await key(page, 'Pay again').click();
    },
    ends: APPROVED,
    moved: 1001,
  },
  {
    what: 'taps with the phone',
    amount: '10.02',
    card: /On the phone/,
    act: (page) => key(page, 'Tap').click(),
    ends: APPROVED,
    moved: 1002,
  },
  {
    what: 'inserts, types the PIN and removes the card',
    amount: '10.03',
    async act(page) {
      await insert(page);
      await removeCard(page);
    },
    ends: APPROVED,
    moved: 1003,
  },
  {
    what: 'uses the keyboard alone',
    amount: '10.04',
    async act(page) {
      await says(page, 'Tap, insert or swipe');
      await page.keyboard.press('i');
      await says(page, 'Enter your PIN');
      await page.keyboard.type('12345');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Enter');
      await says(page, 'Please remove your card');
      await page.keyboard.press('r');
    },
    ends: APPROVED,
    moved: 1004,
  },
  {
    what: 'types a wrong PIN three times',
    amount: '10.05',
    async act(page) {
      await insert(page, '9999');
      await says(page, 'Wrong PIN');
      await typePin(page, '9998');
      await page.getByRole('img', { name: '0 digits' }).waitFor();
      await typePin(page, '9997');
      await removeCard(page);
    },
    ends: DECLINED,
    moved: 0,
  },
  {
    what: 'pays without the PIN where the till allows it',
    amount: '10.06',
    node: 'sale-without-pin',
    async act(page) {
      await key(page, 'Insert').click();
      await key(page, 'Without PIN').click();
      await removeCard(page);
    },
    ends: APPROVED,
    moved: 1006,
  },
  {
    what: 'swipes and signs',
    amount: '10.07',
    async act(page) {
      await key(page, 'Swipe').click();
      await sign(page);
    },
    ends: APPROVED,
    moved: 1007,
  },
  {
    what: 'refuses to sign',
    amount: '10.08',
    async act(page) {
      await key(page, 'Swipe').click();
      await page.getByRole('button', { name: 'Refuse' }).click();
    },
    ends: CANCELLED,
    moved: 0,
  },
  {
    what: 'gives a tip of ten percent',
    amount: '20.00',
    node: 'sale-with-tip',
    async act(page) {
      await page.getByRole('button', { name: '10 %' }).click();
      await key(page, 'Tap').click();
    },
    ends: APPROVED,
    moved: 2200,
  },
  {
    what: 'types a tip',
    amount: '20.01',
    node: 'sale-with-tip',
    async act(page) {
      await says(page, 'type an amount');
      for (const digit of '150') await key(page, digit).click();
      await says(page, '€1.50');
      await page.locator('.keypad').getByRole('button', { name: 'Confirm' }).click();
      await key(page, 'Tap').click();
    },
    ends: APPROVED,
    moved: 2151,
  },
  {
    what: 'gives no tip',
    amount: '20.02',
    node: 'sale-with-tip',
    async act(page) {
      await page.getByRole('button', { name: 'No tip' }).click();
      await key(page, 'Tap').click();
    },
    ends: APPROVED,
    moved: 2002,
  },
  {
    what: 'pays the part that was approved',
    amount: '37.57',
    async act(page) {
      await key(page, 'Tap').click();
      await page.getByRole('button', { name: 'Pay €11.00' }).click();
    },
    ends: ['needs-attention', 'partial', 'partly'],
    moved: 1100,
  },
  {
    what: 'refuses the part that was approved',
    amount: '37.57',
    card: /AMEX/,
    async act(page) {
      await key(page, 'Tap').click();
      await page.getByRole('button', { name: 'No, cancel' }).click();
    },
    ends: CANCELLED,
    moved: 0,
  },
  {
    what: 'cancels before the card',
    amount: '10.09',
    act: (page) => cancelAt(page, 'awaiting-card'),
    ends: CANCELLED,
    moved: 0,
  },
  {
    what: 'cancels at the PIN',
    amount: '10.20',
    async act(page) {
      await key(page, 'Insert').click();
      await cancelAt(page, 'pin');
    },
    ends: CANCELLED,
    moved: 0,
  },
  {
    what: 'cancels at the tip',
    amount: '20.03',
    node: 'sale-with-tip',
    act: (page) => cancelAt(page, 'tip'),
    ends: CANCELLED,
    moved: 0,
  },
  {
    what: 'cancels at the signature, after the approval',
    amount: '10.21',
    async act(page) {
      await key(page, 'Swipe').click();
      await cancelAt(page, 'signature');
    },
    ends: CANCELLED,
    moved: 0,
  },
  {
    what: 'cancels when asked for the part that was approved',
    amount: '37.57',
    card: /MASTERCARD/,
    async act(page) {
      await key(page, 'Tap').click();
      await cancelAt(page, 'partial');
    },
    ends: CANCELLED,
    moved: 0,
  },
  {
    what: 'pulls the card out before the PIN is typed',
    amount: '10.22',
    async act(page) {
      await key(page, 'Insert').click();
      await page.locator('.screen[data-stage=pin]').waitFor();
      await key(page, 'Pull the card out').click();
    },
    ends: CANCELLED,
    moved: 0,
  },
  {
    what: 'leaves the card in the slot when all is over',
    amount: '10.23',
    act: (page) => insert(page),
    ends: APPROVED,
    moved: 1023,
  },
  {
    what: 'has the page open anew in the middle of the PIN',
    amount: '10.24',
    async act(page) {
      await key(page, 'Insert').click();
      await page.locator('.screen[data-stage=pin]').waitFor();
      for (const digit of '99') await key(page, digit).click();
      await page.reload();
      // What was typed is nowhere but in the page, and gone with it.
      await page.getByRole('img', { name: '0 digits' }).waitFor();
      await typePin(page, '1234');
      await removeCard(page);
    },
    ends: APPROVED,
    moved: 1024,
  },
  {
    what: 'has the page open anew while the card waits to be removed',
    amount: '10.25',
    async act(page) {
      await insert(page);
      await says(page, 'Please remove your card');
      await page.reload();
      await removeCard(page);
    },
    ends: APPROVED,
    moved: 1025,
  },
  {
    what: 'inserts the card because the bank wants the PIN',
    amount: '61.65',
    async act(page) {
      await key(page, 'Tap').click();
      await says(page, 'Please insert your card');
      await insert(page);
      await removeCard(page);
    },
    ends: APPROVED,
    moved: 6165,
  },
  {
    what: 'inserts a card that cannot be read, and then taps another',
    amount: '10.10',
    card: /Damaged/,
    async act(page) {
      await key(page, 'Insert').click();
      await says(page, 'could not be read');
      await choose(page, /INTERAC/);
      await key(page, 'Tap').click();
    },
    ends: APPROVED,
    moved: 1010,
  },
  {
    what: 'lets the time run out',
    amount: '10.13',
    act: (page) => says(page, 'Cancelled'),
    ends: CANCELLED,
    moved: 0,
  },
  {
    what: 'has the card details typed in',
    amount: '10.15',
    node: 'moto',
    card: /MASTERCARD/,
    async act(page) {
      await page.locator('.screen').getByText('•••• 4444').waitFor();
      await page.locator('.screen').getByRole('button', { name: 'Confirm' }).click();
    },
    ends: APPROVED,
    moved: 1015,
  },
];
