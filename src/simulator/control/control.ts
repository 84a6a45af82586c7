import { FAULT_KINDS, type FaultKind } from '../infra/faults.js';
import { isVariant } from '../model/variants.js';
import type { Simulator } from '../simulator.js';
import type { Action } from '../terminal/session/screen.js';
import type { Terminal } from '../terminal/terminal.js';
import {
  type Body,
  bool,
  type Check,
  integer,
  isObject,
  object,
  oneOf,
  parseJson,
  problemsOf,
  text,
} from '../wire/checks.js';
import { type Answer, invalidBody, json, NOT_FOUND } from '../wire/errors.js';
import { type Cursor, faultsView, terminalView, viewOf } from './view.js';

/**
 * The simulator's control endpoints, below `/simulator`, for tests and the virtual terminal. All JSON.
 * - `GET view[?ledger=seq&requests=seq&callbacks=seq]`: everything an observer can see; of each log, the entries
 *   after `seq`
 * - `GET ledger[?id=reference or transactionID]`, `GET requests`, `GET callbacks`
 * - `GET terminals`, `GET terminals/{serial}`, `POST terminals/{serial}` with a cardholder's action (`{do:
 *   'present-card', card}`, `{do: 'answer', accept}`...), an event (`{do: 'power-cut' | 'power-on' | 'go-offline' |
 *   'go-online' | 'restart', ms?}`), or a change of cardholder (`{do: 'seat', cardholder: 'automatic' | 'person'}`);
 *   409 if the action does not fit the screen
 * - `POST seat` with `{cardholder: 'automatic' | 'person'}`: in front of every terminal; `POST test-sale` with `{serial}`: a sale
 *   of 10.00 EUR by the second point of sale; 409 if the terminal refuses it
 * - `GET faults`, `POST faults` to arm one, `POST faults/clear` for all or, with `kind`, for one kind
 * - `POST keys` with `{issue: key}` or `{revoke: key}`: of the first merchant, as its provider changes them
 * - `GET variants`, `POST variants` to change some
 */
export class Control {
  constructor(private readonly simulator: Simulator) {}

  answer(method: string, url: string, body: string): Answer {
    const { pathname, searchParams } = new URL(url, 'http://simulator.invalid');
    const [resource = '', id] = pathname.split('/').slice(2);
    const parsed = method === 'POST' ? parseJson(body === '' ? '{}' : body) : undefined;
    switch (`${method} ${resource}`) {
      case 'GET view':
        return json(200, viewOf(this.simulator, cursorOf(searchParams)));
      case 'GET ledger':
        return json(200, this.ledger(searchParams.get('id') ?? undefined));
      case 'GET requests':
        return json(200, this.simulator.requests.latest());
      case 'GET callbacks':
        return json(200, this.simulator.callbacks.latest());
      case 'GET terminals':
        return this.terminals(id);
      case 'POST terminals':
        return this.act(id ?? '', parsed);
      case 'POST seat':
        return this.seatAll(parsed);
      case 'POST test-sale':
        return this.testSale(parsed);
      case 'GET faults':
        return json(200, faultsView(this.simulator));
      case 'POST faults':
        return id === 'clear' ? this.clearFaults(parsed) : this.arm(parsed);
      case 'POST keys':
        return this.changeKeys(parsed);
      case 'GET variants':
        return json(200, this.simulator.variants);
      case 'POST variants':
        return this.change(parsed);
      default:
        return NOT_FOUND;
    }
  }

  private ledger(id: string | undefined): Body {
    const { bank } = this.simulator;
    return {
      entries: bank.entries(id),
      charges: bank.charges(id).length,
      netMoved: bank.netMoved(id),
      netHeld: bank.netHeld(id),
    };
  }

  private terminals(serial: string | undefined): Answer {
    const all = this.simulator.terminals();
    if (serial === undefined)
      return json(
        200,
        all.map((terminal) => terminalView(this.simulator, terminal)),
      );
    const found = all.find(({ serial_number }) => serial_number === serial);
    return found === undefined ? NOT_FOUND : json(200, terminalView(this.simulator, found));
  }

  private act(serial: string, body: unknown): Answer {
    const terminal = this.simulator.terminals().find(({ serial_number }) => serial_number === serial);
    if (terminal === undefined) return NOT_FOUND;
    const problems = problemsOf(actionBody, body);
    if (problems.length > 0 || !isObject(body)) return invalidBody(problems);
    const done = carryOut(this.simulator, terminal, body);
    return json(done ? 200 : 409, terminalView(this.simulator, terminal));
  }

  private seatAll(body: unknown): Answer {
    const problems = problemsOf(seatBody, body);
    if (problems.length > 0 || !isObject(body)) return invalidBody(problems);
    for (const terminal of this.simulator.terminals()) {
      this.simulator.seat(terminal, body.cardholder === 'automatic' ? 'automatic' : 'person');
    }
    return json(200, {});
  }

  private testSale(body: unknown): Answer {
    const problems = problemsOf(saleBody, body);
    if (problems.length > 0 || !isObject(body)) return invalidBody(problems);
    const terminal = this.simulator.terminals().find(({ serial_number }) => serial_number === body.serial);
    if (terminal === undefined) return NOT_FOUND;
    const started = this.simulator.other.saleOnTerminal(terminal.serial_number, TEST_SALE);
    return json(started === undefined ? 409 : 200, {});
  }

  private arm(body: unknown): Answer {
    const problems = problemsOf(faultBody, body);
    if (problems.length > 0 || !isObject(body)) return invalidBody(problems);
    const { times, ...fault } = body;
    const count = times === 0 ? Number.POSITIVE_INFINITY : times;
    this.simulator.faults.arm({ ...(fault as { kind: FaultKind }), times: count as number | undefined });
    return json(200, {});
  }

  private clearFaults(body: unknown): Answer {
    const problems = problemsOf(clearBody, body);
    if (problems.length > 0 || !isObject(body)) return invalidBody(problems);
    if (body.kind === undefined) this.simulator.faults.clear();
    else this.simulator.faults.disarm(body.kind as FaultKind);
    return json(200, {});
  }

  private changeKeys(body: unknown): Answer {
    const problems = problemsOf(keysBody, body);
    if (problems.length > 0 || !isObject(body)) return invalidBody(problems);
    const { merchants } = this.simulator;
    if (typeof body.issue === 'string') merchants.issueKey(body.issue);
    if (typeof body.revoke === 'string') merchants.revokeKey(body.revoke);
    return json(200, {});
  }

  private change(body: unknown): Answer {
    const { variants } = this.simulator;
    if (!isObject(body)) return invalidBody([]);
    const wrong = Object.keys(body).filter((name) => !isVariant(name, body[name]));
    if (wrong.length > 0) {
      return invalidBody(wrong.map((name) => ({ path: `/${name}`, code: 'enum', message: 'is no such variant' })));
    }
    return json(200, Object.assign(variants, body));
  }
}

const card = object({
  scheme: oneOf('VISA', 'MASTERCARD', 'MAESTRO', 'AMEX', 'DISCOVER', 'JCB', 'DINERS', 'UNIONPAY', 'INTERAC'),
  entry: oneOf('ICC', 'CONTACTLESS_ICC', 'MAG_STRIPE'),
  last4: text({ pattern: /^\d{4}$/ }),
  expiry: text({ pattern: /^(0[1-9]|1[0-2])\d{2}$/ }),
  tender: oneOf('CREDIT', 'DEBIT', 'PREPAID'),
  verification: oneOf('NOT_REQUIRED', 'PIN', 'SIGNATURE', 'PIN_SIGNATURE', 'MOBILE_PASS_CODE'),
  holder: text({ max: 26 }),
  unreadable: bool,
});

const HAPPENINGS: Readonly<Record<string, (terminal: Terminal, ms: number) => void>> = {
  'power-cut': (terminal, ms) => terminal.powerCut(ms),
  'power-on': (terminal) => terminal.powerOn(),
  'go-offline': (terminal) => terminal.goOffline(),
  'go-online': (terminal) => terminal.goOnline(),
  restart: (terminal) => terminal.restartApplication(),
};

const ACTIONS: readonly Action['do'][] = [
  'present-card',
  'key-card',
  'enter-pin',
  'skip-pin',
  'choose-tip',
  'answer',
  'sign',
  'remove-card',
  'cancel',
];

const TEST_SALE = { amount: 1000, currency: 'EUR' };
const DAY = 24 * 60 * 60 * 1000;

const actionBody: Check = object(
  {
    do: oneOf(...ACTIONS, ...Object.keys(HAPPENINGS), 'seat'),
    cardholder: oneOf('automatic', 'person'),
    card,
    correct: bool,
    accept: bool,
    drawing: text({ max: 20_000, pattern: /^[ML\d. ]*$/ }),
    percentage: integer(0, 100),
    amount: integer(0, 999_999_999_998),
    ms: integer(0, DAY),
  },
  ['do'],
);

const faultBody: Check = object(
  {
    kind: oneOf(...FAULT_KINDS),
    ms: integer(0, DAY),
    status: integer(400, 599),
    isDone: bool,
    word: text({ max: 100 }),
    variant: oneOf('flat', 'nested', 'text', 'status'),
    /** 0: until cleared. */
    times: integer(0, 1_000_000),
    forMs: integer(1, DAY),
    match: object({ endpoint: text(), serial: text(), operation: text(), reference: text() }),
  },
  ['kind'],
);

const keysBody: Check = object({ issue: text({ max: 200 }), revoke: text({ max: 200 }) });

const seatBody: Check = object({ cardholder: oneOf('automatic', 'person') }, ['cardholder']);

const saleBody: Check = object({ serial: text() }, ['serial']);

const clearBody: Check = object({ kind: oneOf(...FAULT_KINDS) });

function carryOut(simulator: Simulator, terminal: Terminal, body: Body): boolean {
  if (body.do === 'seat') {
    simulator.seat(terminal, body.cardholder === 'automatic' ? 'automatic' : 'person');
    return true;
  }
  const happening = HAPPENINGS[String(body.do)];
  if (happening === undefined) return terminal.act(body as Action);
  happening(terminal, typeof body.ms === 'number' ? body.ms : 0);
  return true;
}

function cursorOf(params: URLSearchParams): Cursor {
  const read = (name: string): number => Math.max(0, Number(params.get(name)) || 0);
  return { ledger: read('ledger'), requests: read('requests'), callbacks: read('callbacks') };
}
