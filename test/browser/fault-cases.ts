import type { Page } from 'playwright-core';
import type { FaultKind } from '../../src/simulator/index.js';
import type { Path } from './cardholder-paths.js';
import { key, says } from './hands.js';

/** Every fault of the virtual terminal, and how a sale ends while it strikes. */

export interface Besides {
  kind: FaultKind;
  /** Until it is switched off; the next time only unless told. */
  always?: boolean;
  seconds?: number;
}

export interface FaultCase {
  kind: FaultKind;
  /** What has to go wrong besides, for this fault to have its moment. */
  besides?: Besides[];
  amount?: string;
  /** What a person does; the automatic cardholder pays unless told. */
  act?(page: Page): Promise<void>;
  ends: Path['ends'];
  /** What the ledger says in the end, minor units. */
  moved: number;
}

const APPROVED: Pick<FaultCase, 'ends' | 'moved'> = { ends: ['done', 'approved', 'yes'], moved: 1000 };
const NOT_CHARGED: Pick<FaultCase, 'ends' | 'moved'> = { ends: ['not-done', 'not-charged', 'no'], moved: 0 };
const REFUSED: Pick<FaultCase, 'ends' | 'moved'> = { ends: ['not-done', 'refused', 'no'], moved: 0 };

const DECLINED: Pick<FaultCase, 'ends' | 'moved'> = { ends: ['not-done', 'declined', 'no'], moved: 0 };

/** The status service is asked where neither the answer comes, nor for a while a callback. */
const IN_THE_DARK: Besides[] = [{ kind: 'answer-lost' }, { kind: 'callback-late', seconds: 60 }];
/** And it has no record of what never reached the bank. */
const WITHOUT_RECORD: Besides[] = [...IN_THE_DARK, { kind: 'gateway-request-lost' }];
/** Results are polled for where no callback comes. */
const WITHOUT_CALLBACK: Besides[] = [{ kind: 'callback-lost', always: true }];

export const FAULT_CASES: FaultCase[] = [
  { kind: 'request-lost', ...NOT_CHARGED },
  { kind: 'connection-refused', ...NOT_CHARGED },
  { kind: 'request-delayed', ...APPROVED },
  { kind: 'request-duplicated', ...APPROVED },
  { kind: 'server-error-before', ...NOT_CHARGED },
  { kind: 'rate-limited', ...APPROVED },
  { kind: 'answer-lost', ...APPROVED },
  { kind: 'answer-delayed', ...APPROVED },
  { kind: 'server-error-after', ...APPROVED },
  { kind: 'broken-json', ...APPROVED },
  { kind: 'error-shape', besides: [{ kind: 'terminal-offline' }], ...REFUSED },
  { kind: 'callback-before-answer', ...APPROVED },
  { kind: 'terminal-busy', ...APPROVED },
  { kind: 'terminal-offline', ...REFUSED },
  { kind: 'power-cut-awaiting-card', ...NOT_CHARGED },
  { kind: 'power-cut-processing', ...APPROVED },
  { kind: 'gateway-request-lost', ...DECLINED },
  { kind: 'gateway-answer-lost', ...APPROVED },
  { kind: 'gateway-answer-lost-then-reversed', ...DECLINED },
  {
    kind: 'chip-pulled',
    async act(page) {
      await key(page, 'Insert').click();
      await page.locator('.screen[data-stage=pin]').waitFor();
      await page.keyboard.type('1234');
      await page.keyboard.press('Enter');
    },
    ...DECLINED,
  },
  {
    kind: 'reversal-fails',
    amount: '37.57',
    async act(page) {
      await key(page, 'Tap').click();
      await says(page, 'was approved');
      await key(page, 'No, cancel').click();
    },
    ends: ['needs-attention', 'partial', 'partly'],
    moved: 1100,
  },
  { kind: 'terminal-restart', ...APPROVED },
  { kind: 'status-lag', besides: IN_THE_DARK, ...APPROVED },
  { kind: 'status-404', besides: WITHOUT_RECORD, ...DECLINED },
  { kind: 'status-undefined', besides: WITHOUT_RECORD, ...DECLINED },
  { kind: 'status-empty', besides: WITHOUT_RECORD, ...DECLINED },
  { kind: 'status-in-progress', besides: IN_THE_DARK, ...APPROVED },
  { kind: 'poll-404', besides: WITHOUT_CALLBACK, ...APPROVED },
  { kind: 'poll-unreadable', besides: WITHOUT_CALLBACK, ...APPROVED },
  { kind: 'poll-fails', besides: WITHOUT_CALLBACK, ...APPROVED },
  { kind: 'callback-lost', ...APPROVED },
  { kind: 'callback-answer-lost', ...APPROVED },
  { kind: 'callback-late', ...APPROVED },
  { kind: 'callback-twice', ...APPROVED },
  { kind: 'callback-tls-refused', ...APPROVED },
  { kind: 'callback-reordered', ...APPROVED },
];
