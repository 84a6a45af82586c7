import type { HttpRequest } from '../../src/core/base/seams.js';
import { originalOf } from '../../src/core/operation/back-office-order.js';
import type { Simulator } from '../../src/simulator/index.js';
import type { Disk } from './disk.js';
import { type Asked, operationOf } from './flow.js';

/** How long terminals stand still for an operation that needs them no more, while the next one waits. */

const SECOND = 1000;
/** What asking once more, a rate limit and the next request may take. */
const NEXT_REQUEST = 60 * SECOND;
/** The recovery limit. */
const LONGEST = 360 * SECOND + NEXT_REQUEST;
/** What moves no money is waited for that long after the answer to its request; where a card has to be presented, longer. */
const WITHOUT_MONEY = new Map([
  ['printReceipt', 30 * SECOND + NEXT_REQUEST],
  ['tokenizeCard', 90 * SECOND + NEXT_REQUEST],
  ['cardPan', 90 * SECOND + NEXT_REQUEST],
]);
const FORBIDDEN = 403;

const SERIAL = /"serial_number":"([^"]*)"/;
const MESSAGE = /"customerReference":"([^"]*)"/;
const OPERATION = /"operation":"([^"]*)"/;
const COMMANDS = new Set(['stopCurrentTransaction', 'pingDevice']);

interface Life {
  startedAt: number;
  disturbedAt: number | undefined;
}

interface Line {
  /** When the terminal became idle; undefined while it is busy. */
  idleSince: number | undefined;
  /** When the last request of ours to it was answered, or given up. */
  answeredAt: number;
  /** Those that were asked for and not sent yet. */
  waiting: Map<string, Asked>;
  last: string;
  /** How long the one after it may wait at the most, ms. */
  longest: number;
}

export class Standstill {
  readonly violations: string[] = [];
  /** In whole seconds, with how often. */
  readonly seconds = new Map<number, number>();
  /** When a terminal was asked for a message last, epoch ms; a key that is refused reaches none. */
  readonly sentAt = new Map<string, number>();
  private readonly lines = new Map<string, Line>();
  /** By original: what was asked about it and has not ended, in this order, and when the last one of them ended. */
  private readonly about = new Map<string, { open: string[]; freedAt: number }>();
  private engines = 0;
  private life: Life = { startedAt: 0, disturbedAt: undefined };

  constructor(
    private readonly simulator: Simulator,
    private readonly now: () => number,
    private readonly diskNow: () => Pick<Disk, 'wasBrokenSince' | 'hasPerhapsSent'>,
  ) {
    for (const { serial_number } of simulator.terminals()) {
      this.lines.set(serial_number, {
        idleSince: now(),
        answeredAt: now(),
        waiting: new Map(),
        last: '',
        longest: LONGEST,
      });
    }
    simulator.changes.subscribe(() => this.look());
  }

  asked(asked: Asked): void {
    this.aboutOriginalOf(asked)?.open.push(asked.id);
    if (asked.request.kind !== 'terminal') return;
    this.lines.get(asked.request.order.request.serial_number)?.waiting.set(asked.id, asked);
  }

  sent({ url, body = '' }: HttpRequest, life: Life): void {
    this.life = life;
    const line = this.lineOf(url, body);
    const id = MESSAGE.exec(body)?.[1] ?? '';
    if (line === undefined) return;
    this.measure(line, id);
    line.last = id;
    this.sentAt.set(id, this.now());
  }

  /** @param status absent where the answer was lost */
  answered({ url, body = '' }: HttpRequest, status?: number): void {
    const line = this.lineOf(url, body);
    if (line === undefined) return;
    line.answeredAt = this.now();
    const id = MESSAGE.exec(body)?.[1] ?? '';
    if (status === FORBIDDEN) this.sentAt.delete(id);
    if (id !== line.last) return;
    line.longest = (this.engines === 1 ? WITHOUT_MONEY.get(operationIn(body)) : undefined) ?? LONGEST;
  }

  /** A later engine rests on no time that an earlier one measured, and several operations may hold a terminal for it. */
  begun(): void {
    this.engines++;
    for (const line of this.lines.values()) line.longest = LONGEST;
  }

  /** It was never sent: it waited in vain. */
  ended(asked: Asked, payload: { outcome: string }, life: Life): void {
    this.life = life;
    const { kind, order } = asked.request;
    const line = kind === 'terminal' ? this.lines.get(order.request.serial_number) : undefined;
    if (payload.outcome === 'refused' && line !== undefined) this.measure(line, asked.id);
    line?.waiting.delete(asked.id);
    this.over(asked);
  }

  /** Nobody waits for it any more. */
  over(asked: Asked): void {
    const about = this.aboutOriginalOf(asked);
    const index = about?.open.indexOf(asked.id) ?? -1;
    if (about === undefined || index < 0) return;
    about.open.splice(index, 1);
    about.freedAt = this.now();
  }

  private aboutOriginalOf({ request }: Asked): { open: string[]; freedAt: number } | undefined {
    const original =
      request.kind === 'terminal' ? request.order.request.originalTransactionId : originalOf(request.order);
    if (original === undefined) return undefined;
    const about = this.about.get(original) ?? { open: [], freedAt: 0 };
    this.about.set(original, about);
    return about;
  }

  private lineOf(url: string, body: string): Line | undefined {
    if (!url.endsWith('/transactions') || COMMANDS.has(operationIn(body))) return undefined;
    return this.lines.get(SERIAL.exec(body)?.[1] ?? '');
  }

  private look(): void {
    for (const [serial, line] of this.lines) {
      const { busy } = this.simulator.terminal(serial);
      if (busy) line.idleSince = undefined;
      else line.idleSince ??= this.now();
    }
  }

  private measure(line: Line, id: string): void {
    const asked = line.waiting.get(id);
    line.waiting.delete(id);
    if (asked === undefined || line.idleSince === undefined || line.last === '') return;
    const { open = [], freedAt = 0 } = this.aboutOriginalOf(asked) ?? {};
    // What is asked about one payment goes one after the other, and leaves the terminal to others meanwhile.
    if (open.length > 0 && open[0] !== id) return;
    const from = Math.max(line.idleSince, line.answeredAt, asked.at, freedAt);
    const { startedAt, disturbedAt = 0 } = this.life;
    // Whoever was away, was frozen, or had no journal could not send.
    if (startedAt > from || disturbedAt >= from || this.diskNow().wasBrokenSince(from)) return;
    const ms = this.now() - from;
    const seconds = Math.ceil(ms / SECOND);
    this.seconds.set(seconds, (this.seconds.get(seconds) ?? 0) + 1);
    // Where the journal may be a backup, several operations may have been sent, and each holds the terminal.
    if (ms <= (this.diskNow().hasPerhapsSent ? LONGEST : line.longest)) return;
    this.violations.push(
      `${id} (${operationOf(asked)}): an idle terminal stood still for ${seconds} s after ${line.last}`,
    );
  }
}

function operationIn(body: string): string {
  return OPERATION.exec(body)?.[1] ?? '';
}
