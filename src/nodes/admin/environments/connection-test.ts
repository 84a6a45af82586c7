import type { NodeAPI } from 'node-red';
import { request } from 'undici';
import { isBadKey } from '../../../core/api/transport/error-answer.js';
import {
  ConfigurationError,
  createHttpSend,
  InputError,
  NotSentError,
  newId,
  PaymentError,
  RefusedError,
  systemClock,
} from '../../../core/index.js';
import { expectCall, isListening, routeFor } from '../../runtime/callback-route.js';
import type { EnvironmentSettings } from '../../runtime/settings/environment-settings.js';
import type { CheckResult } from '../contract.js';
import { type Drafted, withDraft } from './draft.js';

const WAIT_MS = 15_000;
/** The clocks of the service and of this computer may differ by this much without harm. */
const SKEW_MS = 60_000;

export async function testConnection(RED: NodeAPI, id: string, body: unknown): Promise<{ findings: CheckResult[] }> {
  try {
    return { findings: await withDraft(RED, id, body, (drafted) => findings(RED, drafted)) };
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof InputError)) throw error;
    return { findings: [{ check: 'settings', state: 'bad', reason: 'settings', detail: error.message }] };
  }
}

async function findings(RED: NodeAPI, { client, second, settings }: Drafted): Promise<CheckResult[]> {
  const found = await serviceAndKey(client);
  if (second !== undefined) found.push(await secondKey(client, second));
  if (found.every(({ state }) => state === 'ok')) found.push(await statusService(client));
  if (settings.kind !== 'simulator') found.push(await clock(settings.baseUrl));
  return [...found, await callback(RED, settings)];
}

async function serviceAndKey(client: Drafted['client']): Promise<CheckResult[]> {
  const reached: CheckResult = { check: 'service', state: 'ok', reason: 'reached' };
  try {
    const listed = await client.devices.list({ signal: AbortSignal.timeout(WAIT_MS) });
    const figure = listed.filter(({ virtual }) => !virtual).length;
    return [reached, { check: 'key', state: 'ok', reason: 'devices', figure }];
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    if (!(error instanceof RefusedError)) return [{ ...unreached('service', error) }];
    const refusal = { detail: error.message, figure: error.status };
    // The service lists terminals for every key: something else is at this path.
    if (error.status === 404) return [{ check: 'service', state: 'bad', reason: 'not-the-service', ...refusal }];
    const isKey = isBadKey(error) || error.status === 401;
    return [
      reached,
      isKey
        ? { check: 'key', state: 'bad', reason: 'key-refused', ...refusal }
        : { check: 'key', state: 'unsure', reason: 'refused', ...refusal },
    ];
  }
}

async function secondKey(first: Drafted['client'], second: Drafted['client']): Promise<CheckResult> {
  const finding = (await serviceAndKey(second)).at(-1) as CheckResult;
  const isOthers = finding.state === 'ok' && (await areOfOthers(first, second));
  return isOthers
    ? { check: 'second-key', state: 'bad', reason: 'other-merchant' }
    : { ...finding, check: finding.check === 'key' ? 'second-key' : finding.check };
}

/** Whether both list terminals, and none of one merchant. */
async function areOfOthers(...clients: readonly Drafted['client'][]): Promise<boolean> {
  try {
    const lists = clients.map((client) => client.devices.list({ signal: AbortSignal.timeout(WAIT_MS) }));
    const [first = [], second = []] = (await Promise.all(lists)).map((listed) =>
      listed.map(({ merchant_id_alpha: merchant }) => merchant),
    );
    return first.length > 0 && second.length > 0 && !second.some((merchant) => first.includes(merchant));
  } catch (error) {
    if (error instanceof PaymentError) return false;
    throw error;
  }
}

/** Asks the status service for a payment that does not exist. */
async function statusService(client: Drafted['client']): Promise<CheckResult> {
  try {
    await client.status.get(newId(), 'first', { signal: AbortSignal.timeout(WAIT_MS) });
    return { check: 'status', state: 'ok', reason: 'reached' };
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    if (!(error instanceof RefusedError)) return unreached('status', error);
    return { check: 'status', state: 'bad', reason: 'refused', detail: error.message, figure: error.status };
  }
}

function unreached(check: 'service' | 'status', error: PaymentError): CheckResult {
  const reason =
    error instanceof NotSentError
      ? 'not-reached'
      : error.code === 'UNREADABLE_ANSWER'
        ? 'not-the-service'
        : 'no-answer';
  return { check, state: 'bad', reason, detail: error.message };
}

/** Compares this computer's clock with the date header of the service. */
async function clock(address: string): Promise<CheckResult> {
  try {
    const { headers, body } = await request(address, { method: 'HEAD', signal: AbortSignal.timeout(WAIT_MS) });
    await body.dump();
    const theirs = Date.parse(String(headers.date ?? ''));
    if (Number.isNaN(theirs)) return { check: 'clock', state: 'unsure', reason: 'no-clock' };
    const skew = Math.abs(theirs - systemClock.now());
    if (skew <= SKEW_MS) return { check: 'clock', state: 'ok', reason: 'clock' };
    return { check: 'clock', state: 'bad', reason: 'clock-differs', figure: Math.round(skew / 1000) };
  } catch {
    return { check: 'clock', state: 'unsure', reason: 'no-clock' };
  }
}

/** Calls the public address, as a terminal would, and checks whether the call arrives here. */
async function callback(RED: NodeAPI, { kind, callbackUrl }: EnvironmentSettings): Promise<CheckResult> {
  if (callbackUrl === '') {
    return { check: 'callback', state: 'ok', reason: kind === 'simulator' ? 'inside' : 'polled' };
  }
  const root = (RED.settings.httpNodeRoot as unknown) === false ? undefined : RED.settings.httpNodeRoot || '/';
  if (root === undefined || !isListening(routeFor(callbackUrl, root))) {
    return { check: 'callback', state: 'bad', reason: 'nobody-listens', figure: callbackUrl };
  }
  return call(callbackUrl);
}

async function call(callbackUrl: string): Promise<CheckResult> {
  const attemptId = newId();
  let hasArrived = false;
  const forget = expectCall(attemptId, () => {
    hasArrived = true;
  });
  const send = createHttpSend();
  try {
    const headers = { 'content-type': 'application/json' };
    const answer = await send({
      method: 'POST',
      url: `${callbackUrl}/${attemptId}`,
      headers,
      body: '{}',
      timeoutMs: WAIT_MS,
    });
    if (hasArrived) return { check: 'callback', state: 'ok', reason: 'arrived' };
    return { check: 'callback', state: 'bad', reason: 'elsewhere', figure: answer.status };
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    if (hasArrived) return { check: 'callback', state: 'ok', reason: 'arrived' };
    return { check: 'callback', state: 'unsure', reason: 'not-from-here', detail: error.message };
  } finally {
    forget();
    await send.close();
  }
}
