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
  job.keep(fault?.kind === 'gateway-answer-lost-then-reversed' ? { ...inFlight, reversal: '4021' } : inFlight);

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
 * Tells the gateway to take back what it has just approved. False when that did not come through; the terminal still
 * knows of it then, and tries again by itself, unless it forgets.
 */
export async function takeBack(job: Job, inFlight: InFlight): Promise<boolean> {
  const { world, session, merchant, terminal } = job;
  const { timings } = world;
  job.keep(inFlight);
  const travel = timings.toGatewayMs + timings.fromGatewayMs;
  await session.pause(screenOf(job, 'processing', 'Reversing...'), travel);
  if (!job.isConnected()) return false;
  world.reversals.reverse({
    merchant,
    originalId: inFlight.transactionId,
    serial: terminal.serial_number,
    forced: true,
  });
  return true;
}
