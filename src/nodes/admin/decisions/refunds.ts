import type { NodeAPI } from 'node-red';
import * as z from 'zod';
import { fromMajorString, toMinorDigits } from '../../../core/base/money.js';
import type { Listener } from '../../../core/delivery/listener.js';
import { InputError, systemClock } from '../../../core/index.js';
import { exclusiveTerminal } from '../../runtime/lookup.js';
import type { RefundWay } from '../contract.js';
import { type Found, find, related } from '../operations/found.js';
import { isMoto, isUnsettled, refundableOf } from '../operations/refundable.js';
import { reversalAmong, reversibleAs, summaryOf } from '../operations/summary.js';
import { Conflict } from '../respond.js';

/** A person gives a payment back. Each opened dialog has a key, so that what it asks for is done once. */

/** No flow waits for the result; callback-in receives it like every result. */
const ORIGIN = { node: 'payments-sidebar', message: {} };
const IGNORE: Listener = { deliver: () => undefined, progress: () => undefined };

const BUSY_WAIT_MS = 60_000;
const MOST_KEYS = 1000;

const key = z.string().min(1).max(255);
const reversalBody = z.object({ key });
const refundBody = z.object({ key, amount: z.string().max(32), way: z.enum(['gateway', 'gateway-whole', 'terminal']) });

interface Begun {
  operationId: string;
}

/** What the dialogs asked for, by operation and key. */
const asked = new Map<string, Promise<Begun | undefined>>();
/** Ids of operations of which something is being given back that is not in the journal yet. */
const underWay = new Set<string>();

/**
 * Reverses an operation as a whole, once. The reversal is an operation of its own.
 * @throws Conflict where a reversal is under way or done. InputError, JournalError: nothing was sent
 */
export function reverse(operationId: string, body: unknown): Promise<Begun | undefined> {
  const parsed = reversalBody.safeParse(body);
  if (!parsed.success) throw new InputError('key', '1 to 255 characters', undefined);
  return once(operationId, parsed.data.key, reverseUnlessDone);
}

/**
 * Gives a payment back, the whole or a part.
 * @throws Conflict where something else is being given back. InputError, JournalError: nothing was sent
 */
export function refund(RED: NodeAPI, operationId: string, body: unknown): Promise<Begun | undefined> {
  const parsed = refundBody.safeParse(body);
  if (!parsed.success) throw new InputError('refund', 'key, amount and way', undefined);
  const { amount, way } = parsed.data;
  return once(operationId, parsed.data.key, (found) => refundUnlessTooMuch(RED, found, amount, way));
}

/** The same dialog gets the same answer. A dialog whose request failed before anything was sent may try again. */
function once(
  operationId: string,
  key: string,
  begin: (found: Found) => Promise<Begun | undefined>,
): Promise<Begun | undefined> {
  const name = `${operationId} ${key}`;
  const known = asked.get(name);
  if (known !== undefined) return known;
  const begun = alone(operationId, begin);
  asked.set(name, begun);
  begun.catch(() => asked.delete(name));
  const [oldest] = asked.keys();
  if (asked.size > MOST_KEYS && oldest !== undefined) asked.delete(oldest);
  return begun;
}

async function alone(
  operationId: string,
  begin: (found: Found) => Promise<Begun | undefined>,
): Promise<Begun | undefined> {
  if (underWay.has(operationId)) throw alreadyReversed();
  underWay.add(operationId);
  try {
    const found = await find(operationId);
    return found && (await begin(found));
  } finally {
    underWay.delete(operationId);
  }
}

async function reverseUnlessDone(found: Found): Promise<Begun | undefined> {
  const { environment, engine, record } = found;
  const { followUps } = await related(found);
  const now = systemClock.now();
  if (reversalAmong(followUps, summaryOf(record, now), now) !== undefined) throw alreadyReversed();
  if (reversibleAs(record, followUps) === undefined) return undefined;
  environment.attach(ORIGIN.node, IGNORE);
  const order = { operation: 'reversal' as const, body: { originalGuid: record.transactionId ?? '' } };
  return { operationId: await engine.submitBackOffice(order, ORIGIN) };
}

async function refundUnlessTooMuch(
  RED: NodeAPI,
  found: Found,
  wanted: string,
  way: RefundWay,
): Promise<Begun | undefined> {
  const { record } = found;
  const { followUps } = await related(found);
  if (isUnsettled(followUps)) throw new Conflict('REFUND_UNSETTLED', 'an earlier refund of it is not settled yet');
  const refundable = await refundableOf(found, followUps);
  if (refundable === undefined || record.transactionId === undefined) return undefined;
  const { left, currency, ways } = refundable;
  const [minor, most] = [fromMajorString(wanted, currency), fromMajorString(left, currency)];
  const isWhole = minor === most;
  if (minor <= 0n || minor > most) throw new InputError('amount', `more than 0 and at most ${left}`, wanted);
  if (!ways.includes(way) || (way === 'gateway-whole' && !isWhole))
    throw new InputError('way', `one of ${ways.join(', ')}`, way);
  const money = { amount: wanted, currency, minor: toMinorDigits(minor), isWhole };
  return way === 'terminal' ? onTerminal(RED, found, money) : atGateway(found, money);
}

interface Money {
  /** Major units. */
  amount: string;
  currency: string;
  /** Digits. */
  minor: string;
  isWhole: boolean;
}

async function atGateway({ environment, engine, record }: Found, { amount, currency, isWhole }: Money): Promise<Begun> {
  environment.attach(ORIGIN.node, IGNORE);
  const originalGuid = record.transactionId ?? '';
  const part = { originalGuid, amount, currency };
  const order = isMoto(record)
    ? { operation: 'moto/refund' as const, body: part }
    : { operation: 'reversal' as const, body: isWhole ? { originalGuid } : part };
  return { operationId: await engine.submitBackOffice(order, ORIGIN) };
}

/** The terminal asks for the card of the payment. */
async function onTerminal(
  RED: NodeAPI,
  { environment, engine, record }: Found,
  { minor, currency }: Money,
): Promise<Begun | undefined> {
  const { terminal, transactionId } = record;
  if (terminal === undefined || transactionId === undefined) return undefined;
  environment.attach(ORIGIN.node, IGNORE);
  const request = {
    operation: 'refund' as const,
    ...terminal,
    amount: minor,
    currency,
    originalTransactionId: transactionId,
  };
  const policies = {
    busyWaitMs: BUSY_WAIT_MS,
    exclusiveTerminal: exclusiveTerminal(RED, terminal),
    lateApproval: 'report' as const,
    partialApproval: 'accept' as const,
  };
  return { operationId: await engine.submit({ request, policies, origin: ORIGIN }) };
}

function alreadyReversed(): Conflict {
  return new Conflict('ALREADY_REVERSED', 'it has been reversed already, or is being reversed now');
}
