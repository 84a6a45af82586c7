import { type InFlight, type Job, screenOf } from './job.js';

/** The gateway did not respond in time. The terminal cannot know whether it acted. */
export const NO_ANSWER = Symbol('no answer');

/** ms */
const DEFAULT_DELAY = 10_000;

/**
 * Sends a request to the gateway and waits for its response. The request arrives even if the terminal loses power
 * meanwhile. `inFlight` is the terminal's record of it.
 */
export function askGateway<T>(job: Job, inFlight: InFlight, act: () => T): Promise<T | typeof NO_ANSWER> {
  const { world, session, order, terminal } = job;
  const { clock, timings, faults } = world;
  const circumstance = {
    serial: terminal.serial_number,
    operation: order.operation,
    reference: inFlight.facts.reference,
  };
  const fault = faults.at('processing', circumstance);
  const late = faults.at('bank-line', circumstance);
  const delay = late === undefined ? 0 : (late.ms ?? DEFAULT_DELAY);
  const isTakenBack = fault?.kind === 'gateway-answer-lost-then-reversed' && inFlight.isFollowUp !== true;
  job.keep(isTakenBack ? { ...inFlight, reversal: '4021' } : inFlight);

  return session.wait<T | typeof NO_ANSWER>(screenOf(job, 'processing', 'Processing...'), (done) => {
    const timeout = clock.after(timings.gatewayTimeoutMs, () => done(NO_ANSWER));
    if (fault?.kind === 'gateway-request-lost' || !job.isConnected()) return;
    const isAnswered = fault === undefined || fault.kind === 'power-cut-processing';
    clock.after(timings.toGatewayMs, () => {
      const answer = act();
      if (!isAnswered) return;
      clock.after(timings.fromGatewayMs + delay, () => {
        if (!job.isConnected()) return;
        timeout.cancel();
        done(answer);
      });
    });
    if (fault?.kind === 'power-cut-processing') {
      timeout.cancel();
      job.cutPower(fault.ms ?? 60_000);
    }
  });
}

/**
 * Asks the gateway to reverse its latest approval. The message arrives even if the terminal loses power meanwhile.
 * `refused`: somebody has refunded a part of it meanwhile, so the rest stays charged. `unsent`: there is no connection, and
 * the terminal's record of the payment makes it reverse later.
 */
export async function takeBack(job: Job, inFlight: InFlight): Promise<'done' | 'refused' | 'unsent'> {
  const { world, session, merchant, terminal } = job;
  const { timings, clock, reversals } = world;
  job.keep(inFlight);
  if (!job.isConnected()) return 'unsent';
  let isBack = true;
  const { transactionId: originalId } = inFlight;
  clock.after(timings.toGatewayMs, () => {
    isBack = reversals.takeBackApproval({ merchant, originalId, serial: terminal.serial_number });
  });
  const screen = screenOf(job, 'processing', 'Reversing...', { reversing: true });
  await session.pause(screen, timings.toGatewayMs + timings.fromGatewayMs);
  return isBack ? 'done' : 'refused';
}
