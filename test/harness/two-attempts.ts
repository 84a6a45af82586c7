import type { TransactionOrder } from '../../src/core/api/schema/transaction-request.js';
import type { HttpAnswer, HttpRequest } from '../../src/core/base/seams.js';
import type { Policies } from '../../src/core/operation/order.js';
import { THROTTLED } from './approved-twice.js';
import { type Payments, payments } from './payments.js';

export const NOT_FOUND: HttpAnswer = {
  status: 404,
  body: JSON.stringify({ error: { statusCode: 404, name: 'NotFoundError' } }),
};

export interface TwoAttempts {
  /** What the status service shows of the first attempt, ms after the second one was accepted. */
  shows?: (passed: number) => HttpAnswer;
  reversal?: HttpAnswer;
  request?: Partial<TransactionOrder>;
  policies?: Partial<Policies>;
  callbacks?: boolean;
  statusLagMs?: number;
}

export const shown = (finStatus: string): HttpAnswer => ({
  status: 200,
  body: JSON.stringify([{ transactionID: 'one', finStatus, totalAmount: 1000 }]),
});

/** The charge of the first attempt reaches the status service when it is as late as it may be. */
const CHARGED = (passed: number): HttpAnswer => (passed < 14_000 ? NOT_FOUND : shown('AUTHORISED'));
export const ABSENT = (): HttpAnswer => NOT_FOUND;

/** The first attempt arrives twice: its repetition is answered 429, and it runs. The second one is accepted. */
export async function twoAttempts({
  shows = CHARGED,
  reversal,
  request = {},
  policies = {},
  callbacks = false,
  statusLagMs = 1000,
}: TwoAttempts = {}) {
  const sent: string[] = [];
  const asked: number[] = [];
  const reversed: unknown[] = [];
  let acceptedAt = 0;
  const send = async (http: HttpRequest): Promise<HttpAnswer> => {
    const { operation, transactionReference, originalGuid } = JSON.parse(http.body ?? '{}');
    if (http.url.endsWith('/transactions')) world.started.push(operation);
    if (operation === 'sale' || operation === 'refund') {
      if (sent.push(transactionReference) === 1) return THROTTLED;
      acceptedAt = world.clock.now();
    }
    if (http.url.endsWith('/reversal')) {
      reversed.push(originalGuid);
      if (originalGuid !== 'one' && originalGuid !== 'two') return world.simulator.send(http);
      return reversal ?? { status: 200, body: JSON.stringify({ issuerResponseCode: '00', reversalGuid: 'back' }) };
    }
    if (!http.url.includes(`${sent[0]}/status`)) return world.simulator.send(http);
    if (acceptedAt === 0) return NOT_FOUND;
    const passed = world.clock.now() - acceptedAt;
    asked.push(passed);
    return shows(passed);
  };
  const world: Payments = payments({
    callbacks,
    simulator: { cardholder: 'none', timings: { statusLagMs } },
    engine: { send },
  });
  await world.sale(request, { busyWaitMs: 60_000, ...policies });
  await world.clock.runUntil(() => sent.length === 2, 10_000);
  await world.clock.advance(1000);
  return { ...world, sent, asked, reversed, createEngine: () => world.createEngine({ send }) };
}

export const told = ({ told }: Pick<Payments, 'told'>): unknown[] =>
  told.map(({ exit, payload: { outcome, final, error } }) => [exit, outcome, final, error?.code]);
