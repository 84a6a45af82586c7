import { gatewayDecline } from '../../gateway/decisions.js';
import type { Problem } from '../../gateway/reversals.js';
import type { Transaction } from '../../model/transaction.js';
import { factsOf, type ResultFacts } from '../../results/result-facts.js';
import { askGateway, NO_ANSWER } from '../session/gateway-link.js';
import { type Assignment, type InFlight, type Job, screenOf, terminalFacts } from '../session/job.js';
import { tokenFailure } from './card-payment.js';
import { readCard } from './card-reader.js';

/** Operations other than payments: follow-ups to earlier transactions, and services such as printing. */

/** Reversals, captures and increases by transaction id, carried out by the gateway. */
export async function followUp(job: Job): Promise<ResultFacts> {
  const id = job.world.newId();
  const facts = terminalFacts(job, { finStatus: 'UNDEFINED', statusMessage: 'No response from the gateway' });
  const inFlight: InFlight = { transactionId: id, resultId: job.resultId, isFollowUp: true, facts };
  if (job.order.cardPresent) {
    const card = await readCard(job);
    if (card === 'timeout') return terminalFacts(job, { finStatus: 'CANCELLED', statusMessage: 'Timed out' });
  }
  let done: Transaction | Problem | undefined;
  const answer = await askGateway(job, inFlight, () => {
    done = ask(job);
    if (!('code' in done)) inFlight.transactionId = done.id;
    return done;
  });
  if (answer === NO_ANSWER) return facts;
  if (!('code' in answer)) return factsOf(answer);
  const { finStatus, statusMessage, errorMessage, issuerCode, arc } = gatewayDecline(answer.message, answer.code);
  return terminalFacts(job, { finStatus, statusMessage, errorMessage, issuerCode, arc });
}

function ask({ world, merchant, order, terminal }: Job): Transaction | Problem {
  const { operation, originalTransactionId: originalId, amount, customerReference, metadata } = order;
  const echo = { customerReference, metadata, moneyRemittanceOptions: null };
  const request = { merchant, originalId, serial: terminal.serial_number, echo };
  switch (operation) {
    case 'preAuthorizationCapture':
      return world.holds.capture(request, amount, 0);
    case 'preAuthorizationIncrease':
      return world.holds.adjust(request, amount);
    case 'preAuthorizationReversal':
      return world.reversals.reverse({ ...request, cancelsCapture: true });
    default:
      return world.reversals.reverse({ ...request, amount, currency: order.currency });
  }
}

/** Charges nothing; the result carries the token. */
export async function tokenizeCard(job: Job): Promise<ResultFacts> {
  const { world, merchant } = job;
  if (!merchant.capabilities.cardTokenProvider) return tokenFailure(job);
  const card = await readCard(job);
  if (typeof card === 'string') return unread(job, card);
  await job.session.pause(screenOf(job, 'processing', 'Processing...'), world.timings.fromGatewayMs);
  return terminalFacts(job, {
    finStatus: 'PROCESSED',
    statusMessage: 'Card tokenised',
    transactionId: world.newId(),
    reference: world.newId(),
    card,
    issuerCode: '00',
    cardToken: world.tokens.issue(card, merchant),
  });
}

/** Reads a loyalty card. Only this operation's result shows a whole card number. */
export async function readLoyaltyCard(job: Job): Promise<ResultFacts> {
  const card = await readCard(job);
  if (typeof card === 'string') return unread(job, card);
  return terminalFacts(job, { finStatus: 'PROCESSED', statusMessage: 'Card read', card, unMaskedPan: card.pan });
}

export async function printReceipt(job: Job): Promise<ResultFacts> {
  await job.session.pause(screenOf(job, 'printing', 'Printing...'), job.world.timings.deviceMs);
  if (job.world.variants.printer === 'ready')
    return terminalFacts(job, { finStatus: 'PROCESSED', statusMessage: 'Receipt printed' });
  const statusMessage = 'Out of paper';
  return terminalFacts(job, { finStatus: 'FAILED', statusMessage, errorMessage: statusMessage });
}

export async function ping(job: Job): Promise<ResultFacts> {
  await job.session.pause(screenOf(job, 'idle', 'Welcome'), job.world.timings.deviceMs);
  return pingFacts(job);
}

export function pingFacts(job: Assignment): ResultFacts {
  const { order, terminal } = job;
  const deviceStatus = order.returnDeviceInfo ? deviceInfo(terminal.serial_number) : {};
  const type = job.world.variants.controlType;
  return terminalFacts(job, { type, finStatus: 'PROCESSED', statusMessage: 'Device is reachable', deviceStatus });
}

function unread(job: Job, why: 'timeout' | 'unreadable'): ResultFacts {
  return why === 'timeout'
    ? terminalFacts(job, { finStatus: 'CANCELLED', statusMessage: 'Timed out waiting for the cardholder' })
    : terminalFacts(job, {
        finStatus: 'FAILED',
        statusMessage: 'Read card error',
        errorMessage: 'Read card error',
        arc: '1000',
      });
}

function deviceInfo(serialNumber: string): Record<string, string> {
  return {
    applicationName: 'Simulated payment application',
    applicationVersion: '2.30.0',
    batteryStatus: '87%',
    batteryCharging: 'Charging',
    batterymV: '3987',
    externalPower: 'USB',
    bluetoothName: `SIM-${serialNumber}`,
    serialNumber,
    statusMessage: 'OK',
  };
}
