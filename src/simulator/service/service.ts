import type { Chains } from '../gateway/chains.js';
import type { Faults } from '../infra/faults.js';
import { devicesOf, type Merchant, type Merchants } from '../model/merchant.js';
import type { Order } from '../model/order.js';
import { honoursReference } from '../model/reading-values.js';
import type { Variants } from '../model/variants.js';
import type { Results } from '../results/result-store.js';
import type { Terminal } from '../terminal/terminal.js';
import { isObject, parseJson } from '../wire/checks.js';
import type { Answer } from '../wire/errors.js';
import { FORBIDDEN, flatError, json, NOT_FOUND, TOO_MANY, terminalError } from '../wire/errors.js';
import type { RateLimit } from '../wire/rate-limit.js';
import type { BackOffice } from './back-office/back-office.js';
import type { Commands } from './device-commands.js';
import type { Papers } from './receipt-pages.js';
import { readOrder } from './request-rules.js';
import type { StatusService } from './status-service.js';

/**
 * One request as it reaches the service. `path` is relative to the base address of the service or the status service.
 */
export interface Request {
  target: 'service' | 'status';
  method: string;
  path: string;
  /** Header names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
  /** Epoch ms at which it left the client; now unless told. */
  sentAt?: number;
}

export interface ServiceParts {
  merchants: Merchants;
  terminals: ReadonlyMap<string, Terminal>;
  results: Results;
  chains: Chains;
  status: StatusService;
  faults: Faults;
  variants: Variants;
  rateLimit: RateLimit;
  backOffice: BackOffice;
  commands: Commands;
  papers: Papers;
}

/** The format of a country in remittance data. The service reports a wrong one as an unconnected terminal. */
const COUNTRIES = /^[A-Z]{3}$/;

/** The endpoints of the service: authenticates the caller and routes the request. */
export class Service {
  /** References of refused requests. */
  private readonly used = new Set<string>();

  constructor(private readonly parts: ServiceParts) {}

  answer(request: Request): Answer {
    const answer = this.route(request);
    if (this.parts.variants.refusedReference === 'used') this.noteRefusal(request, answer);
    return answer;
  }

  private noteRefusal({ method, path, body }: Request, { status }: Answer): void {
    const parsed = method === 'POST' && path === '/transactions' && status !== 202 ? parseJson(body) : undefined;
    if (isObject(parsed) && typeof parsed.transactionReference === 'string') this.used.add(parsed.transactionReference);
  }

  private route(request: Request): Answer {
    const segments = segmentsOf(request.path);
    if (request.target === 'service' && request.method === 'GET') {
      const paper = this.parts.papers.answer(segments);
      if (paper !== undefined) return paper;
    }
    const key = request.headers.apikeycloud;
    const merchant = this.parts.merchants.withKey(key);
    if (merchant === undefined || key === undefined) return FORBIDDEN;
    if (request.target === 'status') return this.answerStatus(request, merchant, segments);
    const [resource = '', id] = segments;
    switch (`${request.method} ${resource}`) {
      case 'GET devices':
        return segments.length === 1 ? json(200, devicesOf(merchant)) : NOT_FOUND;
      case 'GET transaction-result':
        return id !== undefined && segments.length === 2 ? this.poll(id, merchant) : NOT_FOUND;
      case 'POST transactions':
        if (segments.length > 1) break;
        return this.parts.rateLimit.admits(key) ? this.start(request, merchant) : TOO_MANY;
      case 'POST devices':
        return this.parts.commands.answer(segments.slice(1), parseJson(request.body), merchant);
      default:
    }
    if (!this.parts.rateLimit.admits(key)) return TOO_MANY;
    return this.parts.backOffice.answer(request.method, segments, parseJson(request.body), merchant) ?? NOT_FOUND;
  }

  private answerStatus({ method }: Request, merchant: Merchant, segments: string[]): Answer {
    const [transactions, reference, status, selector = 'first'] = segments;
    const fits = transactions === 'transactions' && status === 'status' && segments.length <= 4 && method === 'GET';
    if (!fits || reference === undefined) return NOT_FOUND;
    return this.parts.status.answer(merchant, reference, selector);
  }

  private start({ body, sentAt }: Request, merchant: Merchant): Answer {
    const reading = readOrder(parseJson(body), this.parts.variants);
    if ('refusal' in reading) return reading.refusal;
    const { order } = reading;
    order.isReferenceUsed = this.used.has(order.transactionReference ?? '');
    const terminal = this.parts.terminals.get(order.serial_number);
    const { terminalErrors } = this.parts.variants;
    if (terminal === undefined || !owns(merchant, order)) return terminalError(1004, terminalErrors);
    const country = order.moneyRemittanceOptions?.countryCode;
    if (country !== undefined && !COUNTRIES.test(String(country))) return terminalError(1002, terminalErrors);
    const started = terminal.start(order, sentAt);
    if (typeof started === 'number') return terminalError(started, terminalErrors);
    return this.accepted(order, merchant, started.resultId, started.reply);
  }

  private accepted(order: Order, merchant: Merchant, resultId: string, reply: string | undefined): Answer {
    const { transactionReference, operation, callbackUrl } = order;
    if (transactionReference !== undefined && honoursReference(operation, this.parts.variants)) {
      this.parts.chains.announce(transactionReference, merchant);
    }
    const withoutId = this.parts.variants.acceptedWithoutResultId && callbackUrl !== undefined;
    return json(202, {
      statusMessage: 'Operation accepted',
      ...(withoutId ? {} : { transactionResultId: resultId }),
      ...(transactionReference === undefined ? {} : { transactionReference }),
      ...(reply === undefined ? {} : { result: reply }),
    });
  }

  private poll(resultId: string, merchant: Merchant): Answer {
    const fault = this.parts.faults.at('poll');
    switch (fault?.kind) {
      case 'poll-404':
        return NOT_FOUND;
      case 'poll-unreadable':
        return json(200, { unexpected: true });
      case 'poll-fails':
        return flatError(fault.status ?? 500, 'Internal error');
      default:
    }
    const found = this.parts.results.find(resultId, merchant);
    if (found === 'unknown') return NOT_FOUND;
    if (found !== 'pending') return { status: 200, body: found.asFirst() };
    const isTold = this.parts.variants.pendingResult === 'in-progress';
    return isTold ? json(200, { finStatus: 'IN_PROGRESS' }) : { status: 204, body: '' };
  }
}

function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded);
}

/** A segment with an invalid encoding matches no path. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function owns(merchant: Merchant, { serial_number, terminal_type }: Order): boolean {
  return merchant.terminals.some(
    (known) => known.serial_number === serial_number && known.terminal_type === terminal_type,
  );
}
