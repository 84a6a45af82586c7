import { type InFlight, type Job, screenOf } from './job.js';

/** The gateway did not answer in time: whether it has acted, the terminal cannot know. */
export const NO_ANSWER = Symbol('no answer');

/**
 * Asks the gateway for money, and waits for its answer. The request travels on its own: it arrives even if the terminal
 * loses power meanwhile. `inFlight` is what the terminal remembers of it.
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
  const isTakenBack = fault?.kind === 'gateway-answer-lost-then-reversed' && inFlight.isFollowUp !== true;
  job.keep(isTakenBack ? { ...inFlight, reversal: '4021' } : inFlight);

  return session.wait<T | typeof NO_ANSWER>(screenOf(job, 'processing', 'Processing...'), (done) => {
    const timeout = clock.after(timings.gatewayTimeoutMs, () => done(NO_ANSWER));
    if (fault?.kind === 'gateway-request-lost' || !job.isConnected()) return;
    const isAnswered = fault === undefined || fault.kind === 'power-cut-processing';
    clock.after(timings.toGatewayMs, () => {
      const answer = act();
      if (!isAnswered) return;
      clock.after(timings.fromGatewayMs, () => {
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
 * Tells the gateway to take back what it has just approved. The message travels on its own, as a request does. False
 * when the terminal has no connection to send it by; what it remembers of the payment then says that it still has to.
 */
export async function takeBack(job: Job, inFlight: InFlight): Promise<boolean> {
  const { world, session, merchant, terminal } = job;
  const { timings, clock, reversals } = world;
  job.keep(inFlight);
  if (!job.isConnected()) return false;
  const { transactionId: originalId } = inFlight;
  clock.after(timings.toGatewayMs, () => {
    reversals.reverse({ merchant, originalId, serial: terminal.serial_number, forced: true });
  });
  const screen = screenOf(job, 'processing', 'Reversing...', { reversing: true });
  await session.pause(screen, timings.toGatewayMs + timings.fromGatewayMs);
  return true;
}
