import type { HttpAnswer, HttpRequest, Send } from '../../../core/base/seams.js';
import type { Payments } from '../../../core/engine/payments.js';
import { CALLBACK_STATUSES } from '../callback-route.js';

/** Where the simulator's terminals post results when they run in this process. No request to it reaches the network. */
export const IN_PROCESS_ADDRESS = 'https://callbacks.invalid';

/**
 * Takes the callbacks of a simulator in this process: to the engine directly, or over the network where the environment
 * has a public address.
 */
export function callbackReceiver(engine: () => Promise<Payments>, network: Send): Send {
  return async (request: HttpRequest): Promise<HttpAnswer> => {
    if (!request.url.startsWith(`${IN_PROCESS_ADDRESS}/`)) return network(request);
    const attemptId = request.url.slice(IN_PROCESS_ADDRESS.length + 1);
    const answer = await (await engine()).callback(attemptId, request.headers['auth-token'], request.body ?? '');
    return { status: CALLBACK_STATUSES[answer], body: '' };
  };
}
