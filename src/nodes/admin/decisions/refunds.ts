import * as z from 'zod';
import { fromMajorString, toMinorDigits } from '../../../core/base/money.js';
import type { Listener } from '../../../core/delivery/listener.js';
import { InputError, systemClock } from '../../../core/index.js';
import type { Origin } from '../../../core/operation/order.js';
import { orderKey } from '../../../core/operation/order-key.js';
import { exclusiveTerminal } from '../../runtime/lookup.js';
import type { RefundWay } from '../contract.js';
import { type Found, find, related } from '../operations/found.js';
import { isMoto, isUnsettled, refundableOf } from '../operations/refundable.js';
import { reversalAmong, reversibleAs, summaryOf } from '../operations/summary.js';
import { Conflict } from '../respond.js';

/** A person gives a payment back. Each opened dialog has a key, so that what it asks for is done once. */

/** No flow waits for the result; callback-in receives it like every result. */
const NODE = 'payments-sidebar';
const IGNORE: Listener = { deliver: () => undefined, progress: () => undefined };

const BUSY_WAIT_MS = 60_000;

/** A flow may ask for the same money meanwhile. */
const AT_MOST_LEFT = { atMostLeft: { source: 'amount' } };

const key = z.string().min(1).max(200);
const reversalBody = z.object({ key });
const refundBody = z.object({ key, amount: z.string().max(32), way: z.enum(['gateway', 'gateway-whole', 'terminal']) });

interface Begun {
  operationId: string;
}

/** What was last asked for each operation. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Reverses an operation as a whole, once. The reversal is an operation of its own.
 * @throws Conflict where a reversal is under way or done. InputError, JournalError: nothing was sent
 */
export function reverse(operationId: string, body: unknown): Promise<Begun | undefined> {
  const parsed = reversalBody.safeParse(body);
  if (!parsed.success) throw new InputError('key', '1 to 200 characters', undefined);
  return once(operationId, parsed.data.key, reverseUnlessDone);
}

/**
 * Gives a payment back, the whole or a part.
 * @throws Conflict where something else is being given back. InputError, JournalError: nothing was sent
 */
export function refund(operationId: string, body: unknown): Promise<Begun | undefined> {
  const parsed = refundBody.safeParse(body);
  if (!parsed.success) throw new InputError('refund', 'key, amount and way', undefined);
  const { amount, way } = parsed.data;
  return once(operationId, parsed.data.key, (found, origin) => refundUnlessTooMuch(found, origin, amount, way));
}

/** Begins what a dialog asks for, as an operation whose id it returns. @param origin with the key of the dialog */
type Begin = (found: Found, origin: Origin) => Promise<string | undefined>;

/**
 * The same dialog gets the same answer, after a restart too: the journal holds its key. A dialog whose request failed before
 * anything was recorded may try again.
 */
function once(operationId: string, dialog: string, begin: Begin): Promise<Begun | undefined> {
  return inTurn(operationId, async () => {
    const key = orderKey(`${NODE} ${operationId} ${dialog}`, 'key', true);
    const found = await find(operationId);
    if (found === undefined || key === undefined) return undefined;
    const { environment, engine } = found;
    const first = await engine.holder(key);
    if (first !== undefined) return { operationId: first.operationId };
    environment.attach(NODE, IGNORE);
    const begun = await begin(found, { node: NODE, message: {}, key });
    if (begun === undefined) return undefined;
    // Another replica may have been quicker.
    return { operationId: (await engine.holder(key))?.operationId ?? begun };
  });
}

/** One after another for each operation, so that each sees what the one before it began. */
function inTurn<T>(operationId: string, run: () => Promise<T>): Promise<T> {
  const turn = (turns.get(operationId) ?? Promise.resolve()).then(run, run);
  turns.set(operationId, turn);
  const leave = (): void => {
    if (turns.get(operationId) === turn) turns.delete(operationId);
  };
  turn.then(leave, leave);
  return turn;
}

async function reverseUnlessDone(found: Found, origin: Origin): Promise<string | undefined> {
  const { engine, record } = found;
  const { followUps } = await related(found);
  const now = systemClock.now();
  if (reversalAmong(followUps, summaryOf(record, now), now) !== undefined) throw alreadyReversed();
  if (reversibleAs(record, followUps) === undefined) return undefined;
  const order = { operation: 'reversal' as const, body: { originalGuid: record.transactionId ?? '' } };
  return engine.submitBackOffice({ ...order, ...AT_MOST_LEFT }, origin);
}

async function refundUnlessTooMuch(
  found: Found,
  origin: Origin,
  wanted: string,
  way: RefundWay,
): Promise<string | undefined> {
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
  return way === 'terminal' ? onTerminal(found, origin, money) : atGateway(found, origin, money);
}

interface Money {
  /** Major units. */
  amount: string;
  currency: string;
  /** Digits. */
  minor: string;
  isWhole: boolean;
}

function atGateway({ engine, record }: Found, origin: Origin, { amount, currency, isWhole }: Money): Promise<string> {
  const originalGuid = record.transactionId ?? '';
  const part = { originalGuid, amount, currency };
  const order = isMoto(record)
    ? { operation: 'moto/refund' as const, body: part, ...AT_MOST_LEFT }
    : { operation: 'reversal' as const, body: isWhole ? { originalGuid } : part, ...AT_MOST_LEFT };
  return engine.submitBackOffice(order, origin);
}

/** The terminal asks for the card of the payment. */
async function onTerminal(
  { engine, record }: Found,
  origin: Origin,
  { minor, currency }: Money,
): Promise<string | undefined> {
  const { terminal, transactionId } = record;
  if (terminal === undefined || transactionId === undefined) return undefined;
  const request = {
    operation: 'refund' as const,
    ...terminal,
    amount: minor,
    currency,
    originalTransactionId: transactionId,
  };
  const policies = {
    busyWaitMs: BUSY_WAIT_MS,
    exclusiveTerminal: exclusiveTerminal(terminal),
    lateApproval: 'report' as const,
    partialApproval: 'accept' as const,
  };
  return engine.submit({ request, policies, origin, ...AT_MOST_LEFT });
}

function alreadyReversed(): Conflict {
  return new Conflict('ALREADY_REVERSED', 'it has been reversed already, or is being reversed now');
}
