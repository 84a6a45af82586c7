import { AnswerLostError, NotSentError } from '../../core/base/errors.js';
import type { HttpAnswer, HttpRequest } from '../../core/base/seams.js';
import type { Timers } from '../infra/clock.js';
import type { Fault, Faults, Match } from '../infra/faults.js';
import { MAX_ACTING_DELAY, MAX_REQUEST_DELAY } from '../model/timings.js';
import {
  type Answer,
  flatError,
  TERMINAL_ERRORS,
  type TerminalErrorCode,
  TOO_MANY,
  terminalError,
} from '../wire/errors.js';
import type { Log } from '../wire/log.js';
import type { RequestEntry } from '../wire/log-entries.js';
import { oddBody } from '../wire/odd-bodies.js';
import { DeliveredBefore } from './delivered-before.js';
import { insteadOfAccepting, insteadOfActing, saysBusy } from './order-faults.js';
import type { Request } from './service.js';

/** The outcome of one request over the network: a response, a lost one, or a refused connection. */
export type Outcome = Answer | 'lost' | 'refused';

export interface NetworkParts {
  clock: Timers;
  faults: Faults;
  log: Log<RequestEntry>;
  serve(request: Request): Answer;
  /** Calls `then` once the callback of this operation was acknowledged. */
  whenDelivered(resultId: string, then: () => void): void;
}

const DEFAULT_DELAY = 5_000;
const DEFAULT_ACTING_DELAY = 90_000;

const START = 'POST /transactions';
const ACCEPTED = 202;

const SERIAL = /"serial_number":"([^"]*)"/;
const OPERATION = /"operation":"([^"]*)"/;
const REFERENCE = /"transactionReference":"([^"]*)"/;
const TOKEN = /"token":"([^"]*)"/;

/** The network between client and service, with all its faults. */
export class Network {
  private readonly before = new DeliveredBefore();

  constructor(private readonly parts: NetworkParts) {}

  /** Carries one request, with its faults, as a server sees it. */
  async exchange(request: Request): Promise<Outcome> {
    const { faults } = this.parts;
    const circumstance = circumstanceOf(request);
    const sent = { ...request, sentAt: this.parts.clock.now() };
    const onTheWay = faults.at('request', circumstance);
    switch (onTheWay?.kind) {
      case 'connection-refused':
        return 'refused';
      case 'request-lost':
        return 'lost';
      case 'request-delayed':
        await this.wait(Math.min(onTheWay.ms ?? DEFAULT_DELAY, MAX_REQUEST_DELAY));
        break;
      case 'acts-late':
        await this.wait(Math.min(onTheWay.ms ?? DEFAULT_ACTING_DELAY, MAX_ACTING_DELAY));
        break;
      case 'server-error-before':
        return this.log(request, flatError(onTheWay.status ?? 500, 'Internal error'));
      case 'rate-limited':
        return this.log(request, TOO_MANY);
      default:
    }
    const answer = this.act(sent, circumstance);
    // Of two copies the client sees the first answer; after a refusal nobody could ever know what the second did.
    if (onTheWay?.kind === 'request-duplicated' && answer.status < 300) this.serve(sent);
    const before = this.before.next(circumstance.endpoint ?? '', request, answer);
    const outcome = await this.wayBack(answer, before, faults.at('answer', circumstance));
    return typeof outcome === 'string' ? outcome : this.worded(outcome, request, circumstance);
  }

  /** The client's end in process: rejects with the errors that the client's own transport would report. */
  send(request: HttpRequest, addressed: Request | undefined): Promise<HttpAnswer> {
    if (addressed === undefined) return Promise.reject(new NotSentError(`no such host: ${originOf(request.url)}`));
    if (request.signal?.aborted === true) return Promise.reject(new NotSentError('aborted before it was sent'));
    return new Promise((resolve, reject) => {
      const lose = (why: string) => (): void => {
        settle();
        reject(new AnswerLostError(`${request.method} ${addressed.path}: ${why}`));
      };
      const abort = lose('aborted');
      const deadline = this.parts.clock.after(request.timeoutMs, lose(`no answer within ${request.timeoutMs} ms`));
      const settle = (): void => {
        deadline.cancel();
        request.signal?.removeEventListener('abort', abort);
      };
      request.signal?.addEventListener('abort', abort);
      this.exchange(addressed).then((outcome) => {
        if (outcome === 'lost') return;
        settle();
        if (outcome === 'refused') reject(new NotSentError('connection refused'));
        else resolve(outcome);
      }, reject);
    });
  }

  private act(request: Request, circumstance: Match): Answer {
    if (circumstance.endpoint !== START) return this.serve(request);
    const { faults } = this.parts;
    const fault = faults.at('order', circumstance);
    const instead = insteadOfActing(fault);
    if (instead !== undefined) return this.log(request, instead);
    const first = this.serve(request);
    if (first.status !== ACCEPTED) return first;
    const seen = this.seen(request, first, fault);
    return insteadOfAccepting(faults.at('order-answer', circumstance)) ?? seen;
  }

  /** What the client sees of an order that has started, and that may arrive a second time. */
  private seen(request: Request, first: Answer, fault: Fault | undefined): Answer {
    if (fault?.kind === 'repeated-request-throttled') return this.log(request, TOO_MANY);
    const second = fault?.kind === 'repeated-request' ? this.serve(request) : first;
    return saysBusy(second) ? second : first;
  }

  private serve(request: Request): Answer {
    return this.log(request, this.parts.serve(request));
  }

  /** The answer as it is read; what is no JSON stays as it is. */
  private worded(answer: Answer, { headers, body }: Request, circumstance: Match): Answer {
    if (!/^[[{]/.test(answer.body)) return answer;
    const fault = this.parts.faults.at('body', circumstance);
    if (fault === undefined) return answer;
    const secrets = [headers.apikeycloud, TOKEN.exec(body)?.[1]].filter((secret) => secret !== undefined);
    return { ...answer, body: oddBody(answer.body, fault, secrets) };
  }

  private async wayBack(answer: Answer, before: Answer | undefined, fault: Fault | undefined): Promise<Outcome> {
    switch (fault?.kind) {
      case 'answer-delivered-twice':
        return before ?? answer;
      case 'answer-lost':
        return 'lost';
      case 'answer-delayed':
        await this.wait(fault.ms ?? DEFAULT_DELAY);
        return answer;
      case 'server-error-after':
        return flatError(fault.status ?? 500, 'Internal error');
      case 'broken-json':
        return { status: answer.status, body: `${answer.body.slice(0, Math.floor(answer.body.length / 2))}"` };
      case 'error-shape':
        return reshaped(answer, fault);
      case 'callback-before-answer':
        await this.delivery(answer);
        return answer;
      default:
        return answer;
    }
  }

  /** Resolves when the callback was delivered, or the client is about to give up. */
  private delivery(answer: Answer): Promise<void> {
    const resultId = /"transactionResultId":"([^"]+)"/.exec(answer.body)?.[1];
    if (resultId === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = this.parts.clock.after(MAX_REQUEST_DELAY - 1000, resolve);
      this.parts.whenDelivered(resultId, () => {
        timer.cancel();
        resolve();
      });
    });
  }

  private log(request: Request, answer: Answer): Answer {
    const { method, path, body } = request;
    this.parts.log.add({ at: this.parts.clock.now(), method, path, body, status: answer.status });
    return answer;
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.parts.clock.after(ms, resolve);
    });
  }
}

function circumstanceOf({ target, method, path, body }: Request): Match {
  const endpoint = endpointOf(target, method, path);
  if (endpoint !== START) return { endpoint };
  return {
    endpoint,
    serial: SERIAL.exec(body)?.[1],
    operation: OPERATION.exec(body)?.[1],
    reference: REFERENCE.exec(body)?.[1],
  };
}

/** Method and path without ids: `GET /transaction-result`, `POST /preauthorization/capture`, `GET /status`. */
export function endpointOf(target: Request['target'], method: string, path: string): string {
  if (target === 'status') return `${method} /status`;
  const [, first = '', second, third] = path.split('/');
  if (first === 'transactions' && third !== undefined) return `${method} /${first}/${third}`;
  const named = first === 'moto' || first === 'preauthorization' || first === 'batch';
  return named && second !== undefined ? `${method} /${first}/${second}` : `${method} /${first}`;
}

function reshaped(answer: Answer, { variant = 'nested' }: Fault): Answer {
  const code = Number(/^\{"error":(100[1-5]),/.exec(answer.body)?.[1]);
  return answer.status === 400 && code in TERMINAL_ERRORS ? terminalError(code as TerminalErrorCode, variant) : answer;
}

function originOf(url: string): string {
  return /^[a-z]+:\/\/[^/]+/.exec(url)?.[0] ?? 'an address that is none';
}
