import type { HttpAnswer, HttpRequest, Send } from '../../../src/core/base/seams.js';
import { BASE_URL, STATUS_URL } from '../../../src/simulator/index.js';
import { endpointOf } from '../../../src/simulator/service/network.js';
import type { Draw } from '../draw.js';
import { Tally } from '../tally.js';
import type { Meddler } from '../traffic.js';
import { claimOf } from './claims.js';
import { CALLBACK, STOP } from './endpoints.js';
import { oddAnswer, oddBody } from './odd-answers.js';

const IS_STOP = /"operation":"stopCurrentTransaction"/;
const TOKEN = /"token":"([^"]+)"/;
/** How often another odd answer is drawn where one would be a lie. */
const TRIES = 4;

/** Changes what the service says, and nothing of what it does. */
export class OddNetwork implements Meddler {
  /** Answers that were changed, by endpoint. */
  readonly changed = new Tally();
  /** What must never be seen again. */
  readonly secrets = new Set<string>();
  /** Stops with everything odd; from then on the truth can be learned. */
  isCalm = false;
  private readonly rate: number;

  /** @param target the endpoints that answer oddly more than now and then */
  constructor(
    private readonly draw: Draw,
    private readonly target: readonly string[],
    private readonly note?: (line: string) => void,
  ) {
    this.rate = draw.pick([0.1, 0.4, 0.7, 1]);
  }

  async send(request: HttpRequest, service: Send): Promise<HttpAnswer> {
    const { method, url, body = '', headers } = request;
    const token = TOKEN.exec(body)?.[1];
    const secrets = [headers.ApiKeyCloud ?? '', ...(token === undefined ? [] : [token])];
    for (const secret of secrets) this.secrets.add(secret);
    const answer = await service(request);
    const isStatus = url.startsWith(STATUS_URL);
    const path = url.slice((isStatus ? STATUS_URL : BASE_URL).length);
    const endpoint = endpointOf(isStatus ? 'status' : 'service', method, path);
    const name = IS_STOP.test(body) ? STOP : endpoint;
    return this.isStruck(name) ? this.told(name, answer, () => oddAnswer(answer, this.draw, secrets)) : answer;
  }

  callback(request: HttpRequest): HttpRequest {
    const { body = '', headers } = request;
    if (!this.isStruck(CALLBACK)) return request;
    const secrets = [...this.secrets].slice(0, 1).concat(headers['auth-token'] ?? []);
    for (const secret of secrets) this.secrets.add(secret);
    const before = { status: 200, body };
    const after = this.told(CALLBACK, before, () => ({ status: 200, body: oddBody(body, this.draw, secrets) }));
    return { ...request, body: after.body };
  }

  private isStruck(endpoint: string): boolean {
    return !this.isCalm && this.draw.chance(this.target.includes(endpoint) ? this.rate : 0.02);
  }

  /** The first of some odd answers that does not say for certain what is not so. */
  private told(endpoint: string, before: HttpAnswer, draw: () => HttpAnswer): HttpAnswer {
    const claim = claimOf(endpoint, before);
    for (let tries = TRIES; tries > 0; tries--) {
      const after = draw();
      const claimed = claimOf(endpoint, after);
      if (claimed !== '' && claimed !== claim) continue;
      this.changed.add(endpoint);
      this.note?.(`odd ${endpoint}: ${after.status} ${after.body.slice(0, 2000)}`);
      return after;
    }
    return before;
  }
}
