import type { TerminalAddress } from '../../src/core/api/schema/fields.js';
import type { TransactionOperation } from '../../src/core/api/schema/operation-rules.js';
import type { TransactionOrder } from '../../src/core/api/schema/transaction-request.js';
import type { Policies } from '../../src/core/operation/order.js';
import type { FaultKind, MerchantConfig, Variants } from '../../src/simulator/index.js';
import { Draw } from './draw.js';
import type { Fleet } from './fleet/strikes.js';
import type { Hostility } from './hostility.js';
import { readingsOfToday } from './readings.js';

/** What a seed decides before the run begins. Times in ms from its beginning. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export interface Message {
  id: string;
  at: number;
  node: string;
  serial_number: string;
  terminal_type: string;
  operation: TransactionOperation;
  amount?: string;
  currency: string;
  /** What else the request carries. */
  extras: Partial<TransactionOrder>;
  policies: Policies;
  /** The flow takes it back so long after it came. */
  cancelAfter?: number;
  /** What the flow asks for once this has moved money. */
  followUps: number;
}

/** What happens to the process of the flow. */
export type Upset = { at: number; kind: 'crash' | 'redeploy'; nodesDeleted: boolean };

/** After so many calls of its seams, or right before or after so many tellings. */
export type Death = { steps: number } | { tellings: number; handedOver: boolean };

export interface Window {
  from: number;
  until: number;
}

export type Outage = Window & { kind: 'refused' | 'lost'; target: 'service' | 'status' | 'both' };
export type Trouble = { at: number; serial: string; kind: 'power-cut' | 'offline' | 'restart'; ms: number };

export interface Scenario {
  seed: number;
  /** Absent in today's world. */
  hostility?: Hostility;
  /** Several processes share a journal; absent: one has it to itself. */
  fleet?: Fleet;
  callbacks: boolean;
  countReads: boolean;
  variants: Partial<Variants>;
  statusLagMs: number;
  /** The cardholder needs several tries, and nearly all the time there is. */
  fumbles: boolean;
  /** Most cardholders tap at once. */
  isQuick?: true;
  /** Of two cardholders one taps at once, and the other takes half a minute. */
  isUneven?: true;
  messages: Message[];
  /** How likely anything goes wrong that can. */
  faultRate: number;
  focus: Focus | undefined;
  /** From then on nothing goes wrong by itself. */
  calmAt: number;
  upsets: Upset[];
  /** When the process dies by itself; one for each life. */
  deaths: Death[];
  /**
   * How long the environment points at another service, from one of the upsets or deaths on: the process was given other
   * settings while it was down, or by a deploy. Undefined where nobody touches them.
   */
  elsewhereMs: number | undefined;
  /** How long the process is away, at least what it takes to start. */
  downtimes: number[];
  /** What is charged or refunded by token, minor units; absent: 300. */
  tokenAmount?: number;
  /** After its payments the flow asks for the end of their batch, by its number, and for nothing else. */
  closesBatches?: true;
  /** The journal keeps no payment that has ended: what the flow changes, another system may as well have made. */
  retainsNothing?: true;
  /** Where the merchant is not the simulator's usual one. */
  merchant?: Pick<MerchantConfig, 'group' | 'capabilities'>;
  /** Of the cards of those who tap at once; absent: VISA. */
  scheme?: 'INTERAC';
  /** How long the flow waits before it asks for a change of a payment; absent: up to two minutes. */
  changesAfter?: number;
  /** The flow sends payments by token once more as well where it is told that this is safe. */
  retriesByToken?: true;
  /**
   * A backup of the journal is taken while the request of a payment is on its way, while its terminal is at work on it, or
   * when the flow has been told "no" and an attempt may still begin.
   */
  backedUp?: 'while-sent' | 'while-waiting' | 'at-terminal' | 'after-no';
  /** The machine falls asleep, or a backup is taken, right after something that needs no terminal was answered 429. */
  strikesAfter429?: true;
  /** The flow asks for a reversal once more where it is told that nobody knows what became of it. */
  insists?: true;
  /** The flow asks for captures and increases of holds that nobody knows. */
  namesUnknownHolds?: true;
  /** How likely a node throws over what it is told: half of the time its flow has heard it by then. */
  throwing?: number;
  fullDisk: Window[];
  /** What a journal write takes at most. */
  diskMs: number;
  outages: Outage[];
  troubles: Trouble[];
}

export const NODES = ['node-a', 'node-b'] as const;
export const TERMINALS: readonly [TerminalAddress, ...TerminalAddress[]] = [
  { serial_number: '10000001', terminal_type: 'SIMULATEDT1' },
  { serial_number: '10000002', terminal_type: 'SIMULATEDT1' },
  { serial_number: '10000003', terminal_type: 'SIMULATEDT2' },
];

/** Node-RED needs at least so long to start. */
const START_UP = 2 * SECOND;
const AMOUNTS = ['1000', '1000', '2500', '3757', '3757', '3779', '3768', '6165', '4242'] as const;
/**
 * Where the faults of a run may pile up, named as the simulator's faults name circumstances: endpoints, and moments
 * without one. There something goes wrong half of the time.
 */
export interface Focus {
  at: string;
  /** Another such place, where anything goes wrong. */
  alsoAt?: string;
  /** Nothing else goes wrong at the first. */
  only?: readonly [FaultKind, ...FaultKind[]];
  /** Those that come by there. */
  operations?: readonly [TransactionOperation, ...TransactionOperation[]];
  /** The status service is as far behind as it may be, and the cardholder takes as long as there is time. */
  isSlow?: true;
  /** The flow wants an answer soon, and the process dies while it waits for it. */
  isHasty?: true;
  /** Nobody can be asked until the flow has been told "unknown"; right then the process dies, its disk is slow. */
  isBlind?: true;
  /** Once an answer is lost, the status service cannot be asked until its word would be final. */
  isDarkAfter?: true;
  /** Stops meet nothing of it. */
  sparesStops?: true;
  /** It does not strike twice in a row on one terminal. */
  isNeverTwice?: true;
  /** Everybody queues up at one terminal, and the flow takes back what comes late. */
  isCrowded?: true;
  /** Most terminals are shared, so that no stop proves what became of an attempt. */
  isRepeated?: true;
  /** It strikes more often than not, and for ten seconds at least. */
  isRelentless?: true;
  /** What is late there is late by some seconds, and still answered in time. */
  isSecondsLate?: true;
  /** What is late there is late by a quarter of an hour to an hour. */
  isHoursLate?: true;
  /** What is late there comes a few seconds late: before anybody decides that there is nothing to come. */
  isHardlyLate?: true;
  /** It goes on for days, with every terminal switched off meanwhile. */
  isLasting?: true;
}

const FOCUSES: readonly [Focus, ...Focus[]] = [
  { at: 'POST /transactions' },
  { at: 'GET /transaction-result' },
  { at: 'GET /status' },
  { at: 'POST /reversal', operations: ['sale', 'preAuthorization', 'moToSale', 'refund'] },
  { at: 'POST /moto/sale', operations: ['saleAndTokenizeCard'] },
  { at: 'POST /moto/refund', operations: ['saleAndTokenizeCard', 'moToSale'] },
  { at: 'POST /preauthorization/capture', operations: ['preAuthorization'] },
  { at: 'POST /preauthorization/increase', operations: ['preAuthorization'] },
  { at: 'POST /transactions/tip-adjustment', operations: ['sale'] },
  { at: 'callback' },
  { at: 'processing' },
  { at: 'approved' },
  { at: 'publish', isSlow: true },
  { at: 'status-with-record' },
  { at: 'terminal-reversal' },
];

/** What takes several mishaps at once, and would hardly ever be met by chance. */
const RARE_FOCUSES: readonly [Focus, ...Focus[]] = [
  { at: 'POST /transactions', only: ['request-delayed'], isSlow: true, isHasty: true },
  { at: 'GET /status', isBlind: true },
  { at: 'POST /transactions', only: ['callback-before-answer'], isCrowded: true },
  {
    at: 'processing',
    alsoAt: 'status-with-record',
    only: ['power-cut-processing'],
    operations: ['sale', 'preAuthorization'],
    isSlow: true,
  },
];

const OPERATIONS: readonly [TransactionOperation, ...TransactionOperation[]] = [
  'sale',
  'sale',
  'sale',
  'sale',
  'sale',
  'sale',
  'refund',
  'saleAndTokenizeCard',
  'preAuthorization',
  'preAuthorization',
  'preAuthorization',
  'moToSale',
  'moToSale',
  'moToRefund',
  'moToPreAuthorization',
  'tokenizeCard',
  'cardPan',
  'printReceipt',
];
const WITHOUT_AMOUNT: readonly TransactionOperation[] = ['tokenizeCard', 'cardPan', 'printReceipt'];

export function scenarioOfToday(seed: number): Scenario {
  const draw = new Draw(seed, 0);
  const isWild = draw.chance(0.7);
  const focus = draw.chance(0.6) ? draw.pick(draw.chance(0.5) ? RARE_FOCUSES : FOCUSES) : undefined;
  const atOnce = draw.chance(focus?.isHasty || focus?.isBlind || focus?.isCrowded ? 0.8 : 0.2);
  const span = atOnce ? draw.scale(1, SECOND) : draw.scale(10 * SECOND, 20 * MINUTE);
  const calmAt = draw.scale(MINUTE, draw.chance(0.1) ? 30 * HOUR : 2 * HOUR);
  const messages = Array.from({ length: draw.int(1, 8) }, (_, place) => messageOf(draw, place, span, focus));
  const scenario: Scenario = {
    seed,
    callbacks: draw.chance(0.75),
    countReads: draw.chance(0.1),
    variants: readingsOfToday(draw),
    statusLagMs: focus?.isSlow ? 10_000 : draw.pick([1000, 1000, 0, 5000, 10_000]),
    fumbles: draw.chance(focus?.isSlow ? 0.95 : 0.15),
    messages,
    focus,
    faultRate: isWild ? draw.pick([0.01, 0.05, 0.1, 0.25]) : 0,
    calmAt,
    upsets: some(draw, 0.35, 3, () => ({
      at: draw.int(0, span) + draw.scale(1, draw.chance(0.1) ? 30 * HOUR : 10 * MINUTE),
      kind: draw.pick(['crash', 'redeploy', 'redeploy']),
      nodesDeleted: draw.chance(0.2),
    })),
    deaths: some(draw, 0.4, 3, () =>
      draw.chance(0.6) ? { steps: draw.scale(1, 400) } : { tellings: draw.scale(1, 4), handedOver: draw.chance(0.7) },
    ),
    elsewhereMs: draw.chance(0.06) ? draw.scale(SECOND, draw.chance(0.3) ? 10 * HOUR : 20 * MINUTE) : undefined,
    downtimes: Array.from({ length: 8 }, () => draw.scale(START_UP, draw.chance(0.2) ? HOUR : 20 * SECOND)),
    fullDisk: some(draw, 0.15, 2, () => windowOf(draw, span, 5 * MINUTE)),
    diskMs: draw.chance(0.2) ? draw.scale(1, 2000) : 0,
    outages: some(draw, 0.2, 2, () => ({
      ...windowOf(draw, span, draw.chance(0.3) ? 3 * HOUR : 15 * MINUTE),
      kind: draw.pick(['refused', 'lost']),
      target: draw.pick(['service', 'status', 'status', 'both']),
    })),
    troubles: some(draw, 0.3, 3, () => ({
      at: draw.int(0, span) + draw.scale(1, MINUTE),
      serial: draw.pick(TERMINALS).serial_number,
      kind: draw.pick(['power-cut', 'offline', 'restart']),
      ms: draw.scale(SECOND, draw.chance(0.1) ? 50 * HOUR : 10 * MINUTE),
    })),
  };
  if (focus?.isHasty) scenario.upsets.push({ at: draw.int(200, 6 * SECOND), kind: 'crash', nodesDeleted: false });
  return focus?.isBlind ? { ...scenario, ...blindness(draw) } : scenario;
}

function blindness(draw: Draw): Partial<Scenario> {
  // The flow is told "unknown" 390 s after the request.
  const until = draw.int(390, 400) * SECOND;
  return {
    outages: [{ from: draw.scale(4 * SECOND, 10 * SECOND), until, kind: 'lost', target: 'both' }],
    deaths: [{ tellings: draw.int(1, 3), handedOver: true }],
    diskMs: 2 * SECOND,
    callbacks: false,
  };
}

function messageOf(draw: Draw, place: number, span: number, focus: Focus | undefined): Message {
  const operation = draw.pick(focus?.operations ?? OPERATIONS);
  const terminal = focus?.isCrowded || draw.chance(0.6) ? TERMINALS[0] : draw.pick(TERMINALS);
  return {
    id: `m${place + 1}`,
    at: place === 0 ? 0 : draw.int(0, span),
    node: draw.pick(NODES),
    ...terminal,
    operation,
    ...(WITHOUT_AMOUNT.includes(operation) ? {} : { amount: draw.pick(AMOUNTS) }),
    currency: 'EUR',
    extras: extrasOf(draw, operation),
    policies: { ...policiesOf(draw), ...inFocus(draw, focus) },
    ...(draw.chance(0.1) ? { cancelAfter: draw.scale(1, MINUTE) } : {}),
    followUps: draw.chance(focus?.operations === undefined ? 0.4 : 0.8) ? draw.int(1, 3) : 0,
  };
}

function extrasOf(draw: Draw, operation: TransactionOperation): Partial<TransactionOrder> {
  if (operation === 'printReceipt') return { receipt: '<p>Thank you</p>' };
  const unchecked = draw.chance(0.2) ? { duplicate_check: false } : {};
  return operation === 'sale' && draw.chance(0.15)
    ? { ...unchecked, tipConfiguration: { tipPercentages: [10, 20] } }
    : unchecked;
}

function policiesOf(draw: Draw): Policies {
  return {
    busyWaitMs: draw.pick([0, 30 * SECOND, 5 * MINUTE]),
    ...(draw.chance(0.25) ? { deadlineMs: draw.pick([20 * SECOND, 60 * SECOND, 180 * SECOND]) } : {}),
    lateApproval: draw.chance(0.3) ? 'reverse' : 'report',
    partialApproval: draw.chance(0.3) ? 'reverse' : 'accept',
  };
}

function inFocus(draw: Draw, focus: Focus | undefined): Partial<Policies> {
  if (focus?.isHasty) return { deadlineMs: 20 * SECOND };
  return focus?.isCrowded && draw.chance(0.7)
    ? { deadlineMs: 20 * SECOND, busyWaitMs: 5 * MINUTE, lateApproval: 'reverse' }
    : {};
}

function windowOf(draw: Draw, span: number, longest: number): Window {
  const from = draw.int(0, span);
  return { from, until: from + draw.scale(SECOND, longest) };
}

function some<T>(draw: Draw, probability: number, most: number, make: () => T): T[] {
  return draw.chance(probability) ? Array.from({ length: draw.int(1, most) }, make) : [];
}
