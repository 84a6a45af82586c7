import { callbackSecret } from '../../src/core/base/callback.js';
import { AnswerLostError, NotSentError } from '../../src/core/base/errors.js';
import type { Clock, HttpAnswer, HttpRequest, Send } from '../../src/core/base/seams.js';
import type { Payments } from '../../src/core/engine/payments.js';
import type { Simulator } from '../../src/simulator/index.js';
import type { Inspector } from './inspector.js';
import { digest, nameOf } from './notes.js';
import { cut, outageFor } from './outages.js';
import type { Process } from './process.js';
import type { Outage } from './scenario.js';
import { KEY } from './service.js';
import type { Standstill } from './standstill.js';
import type { Tally } from './tally.js';
import type { Witnesses } from './witnesses.js';

const CALLBACKS = 'https://till.example/payments';
export const CALLBACK = { address: CALLBACKS, secret: callbackSecret(KEY) };
export const ANOTHER_KEY = 'another-merchant';
/** Another service: it has heard of none of our payments, and takes none. */
const strangers: Send = async ({ method }) => ({ status: method === 'GET' ? 404 : 403, body: '{}' });
/** What the engine asks of a terminal by itself. */
const STOP_OR_PING = /"operation":"(stopCurrentTransaction|pingDevice)"/;
const STATUS_OF_ANSWER = { taken: 200, 'not-found': 404, unavailable: 503 } as const;

/** Somebody in between, who may change what goes over the network. */
export interface Meddler {
  /** A request of the engine, and the answer it gets; `service` passes it on. */
  send(request: HttpRequest, service: Send): Promise<HttpAnswer>;
  /** A callback as it arrives. */
  callback(request: HttpRequest): HttpRequest;
}

/** What lies on both sides of the network. */
export interface Sides {
  readonly clock: Clock;
  readonly simulator: Simulator;
  readonly inspector: Inspector;
  readonly standstill: Standstill;
  readonly witnesses: Witnesses;
  readonly faults: Tally;
  readonly asked: Tally;
  readonly outages: readonly Outage[];
  readonly note: ((line: string) => void) | undefined;
  readonly meddler?: Meddler;
  /** Ms from the beginning of the run. */
  readonly time: number;
  readonly process: Process;
  readonly engine: Pick<Payments, 'callback'> | undefined;
}

/** What goes over the network between the flow's process and the service, in both directions. */
export class Traffic {
  constructor(private readonly sides: Sides) {}

  /** A request of the engine. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const { outages, time, faults, inspector, standstill, witnesses, asked, note, process } = this.sides;
    const outage = outageFor(outages, request.url, time);
    if (outage !== undefined) faults.add(`outage ${outage.kind}`);
    const answered = inspector.request(request);
    standstill.sent(request, process);
    witnesses.asked(request.url);
    if (STOP_OR_PING.test(request.body ?? '')) asked.add(JSON.parse(request.body ?? '').operation);
    note?.(`> ${request.method} ${nameOf(request)} ${request.body ?? ''}`);
    let status: number | undefined;
    try {
      const answer = await this.way(request, outage)(request);
      status = answer.status;
      answered(answer);
      witnesses.said(request.url, answer.body);
      note?.(`< ${nameOf(request)}: ${answer.status} ${digest(answer.body)}`);
      return answer;
    } catch (error) {
      answered(error as Error);
      note?.(`< ${nameOf(request)}: ${error}`);
      throw error;
    } finally {
      standstill.answered(request, status);
    }
  }

  /** A callback of the service. */
  deliver(request: HttpRequest): Promise<HttpAnswer> {
    const { process, engine, inspector, witnesses, note, meddler } = this.sides;
    const { url, headers, body = '' } = meddler?.callback(request) ?? request;
    const attemptId = url.slice(CALLBACKS.length + 1);
    if (!process.alive || engine === undefined) return Promise.reject(new NotSentError('nobody listens'));
    if (process.isFrozen) return this.deliverFrozen(request);
    const answer = process.async(() => engine.callback(attemptId, headers['auth-token'], body));
    const answered = answer.then((taken) => {
      note?.(`callback ${attemptId}: ${taken} ${digest(body)}`);
      if (taken === 'unavailable') witnesses.heard(url, body);
      if (taken === 'taken') {
        inspector.acknowledged(attemptId, body);
        witnesses.said(url, body);
      } else if (taken === 'not-found' && meddler === undefined) inspector.notFound(attemptId, body);
      return { status: STATUS_OF_ANSWER[taken], body: '' };
    });
    return process.outlived(answered, () => new AnswerLostError('the process died'));
  }

  private way({ headers }: HttpRequest, outage: Outage | undefined): Send {
    const { clock, simulator, meddler } = this.sides;
    if (outage !== undefined) return cut(outage, clock);
    const service = headers.ApiKeyCloud === ANOTHER_KEY ? strangers : simulator.send;
    return meddler === undefined ? service : (request) => meddler.send(request, service);
  }

  /** The connection is taken, and read once the process thaws; who called has given up by then, or not. */
  private deliverFrozen(request: HttpRequest): Promise<HttpAnswer> {
    const { clock, process } = this.sides;
    return new Promise((resolve, reject) => {
      clock.after(request.timeoutMs, () => reject(new AnswerLostError('no answer')));
      process.whenThawed(() => this.deliver(request).then(resolve, reject));
    });
  }
}
