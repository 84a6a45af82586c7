import type { Answer } from '../wire/errors.js';
import type { Request } from './service.js';

/**
 * The response that an intermediary delivered last on each of the two connections, and may deliver once more in the place of the next
 * one. Only one that names its payment counts: nobody could tell any other from an answer to the request.
 */

const ENDPOINTS: readonly string[] = ['POST /transactions', 'GET /transaction-result', 'GET /status'];
const NAMED = /"transactionReference":"([0-9a-f-]{36})"/;

export class DeliveredBefore {
  private readonly latest = new Map<Request['target'], Answer>();

  /** Notes a response. @returns the one before it, where it is about something else; undefined where there is none */
  next(endpoint: string, { target, path }: Request, answer: Answer): Answer | undefined {
    if (!ENDPOINTS.includes(endpoint)) return undefined;
    const before = this.latest.get(target);
    if (NAMED.test(answer.body)) this.latest.set(target, answer);
    const about = before === undefined ? undefined : nameIn(before);
    // An earlier answer to the same question is a stale one, which is another fault.
    return about === undefined || about === nameIn(answer) || path.includes(about) ? undefined : before;
  }
}

function nameIn({ body }: Answer): string | undefined {
  return NAMED.exec(body)?.[1];
}
