import type { Delivery } from '../../src/core/delivery/listener.js';
import type { ResultPayload } from '../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../src/core/operation/back-office-order.js';
import type { Order, RefundLimited } from '../../src/core/operation/order.js';
import type { Process } from './process.js';

/** What the flow asked for, and what it heard of it. */

export interface Heard {
  /** Epoch ms. */
  at: number;
  /** Which life of the process told it. */
  life: number;
  /** Until when that life was frozen, or when its clock was moved last, epoch ms. */
  disturbedAt: number | undefined;
  /** So many entries the ledger had then. */
  ledger: number;
  /** So many answers and callbacks there had been. */
  answers: number;
  by: 'node' | 'callback-in';
  telling: Delivery;
}

export type Request =
  | { kind: 'terminal'; order: Order }
  | { kind: 'back-office'; order: BackOfficeOrder & RefundLimited };

export interface Asked {
  /** `msg._msgid`, and the `customerReference` of what has one. */
  id: string;
  /** The message that began the chain this one is part of. */
  root: string;
  node: string;
  request: Request;
  /** Epoch ms. */
  at: number;
  life: number;
  disturbedAt: number | undefined;
  /** So many entries the ledger had then. */
  ledger: number;
  /** When its node handed it to an engine or a door, epoch ms. */
  submittedAt?: number;
  operationId?: string;
  /** What went to Catch instead of into the journal. */
  rejected?: unknown;
  heard: Heard[];
  /** How often a node, or callback-in, threw over what it was told of this. */
  thrown: number;
  /** Callback-in was told of a result after the end. */
  late: Delivery[];
}

export class Flow {
  readonly asked = new Map<string, Asked>();

  constructor(
    private readonly now: (process: Process) => Pick<Heard, 'at' | 'life' | 'disturbedAt' | 'ledger' | 'answers'>,
  ) {}

  /** @param process that it comes in by */
  ask(id: string, root: string, node: string, request: Request, process: Process): Asked {
    const asked: Asked = { id, root, node, request, ...this.now(process), heard: [], thrown: 0, late: [] };
    this.asked.set(id, asked);
    return asked;
  }

  /** Everything that began with one message. */
  chain(root: string): Asked[] {
    return [...this.asked.values()].filter((asked) => asked.root === root);
  }

  /** @param process that tells it */
  hear(telling: Delivery, by: Heard['by'], process: Process): Asked | undefined {
    const asked = this.askedBy(telling);
    asked?.heard.push({ ...this.now(process), by, telling });
    return asked;
  }

  noteThrown(telling: Delivery): void {
    const asked = this.askedBy(telling);
    if (asked !== undefined) asked.thrown++;
  }

  hearLate(telling: Delivery): void {
    this.askedBy(telling)?.late.push(telling);
  }

  private askedBy({ origin }: Delivery): Asked | undefined {
    return this.asked.get(String(origin.message._msgid));
  }
}

export function operationOf({ request }: Asked): string {
  return request.kind === 'terminal' ? request.order.request.operation : request.order.operation;
}

/** One telling in a line. */
export function summary({ exit, payload }: Delivery): string {
  const { outcome, moneyMoved, source, error, correction, redelivered } = payload;
  const marks = [correction && 'correction', redelivered && 'redelivered', error?.code].filter(Boolean).join(', ');
  return `${exit}: ${outcome}, moved ${moneyMoved}${amount(payload)}, by ${source}${marks === '' ? '' : ` (${marks})`}`;
}

function amount({ amount }: ResultPayload): string {
  return amount === undefined ? '' : ` ${amount.total}`;
}
