import type { Clock } from '../../src/core/base/seams.js';
import type { ResultEvent } from '../../src/core/delivery/dispatcher.js';
import type { Delivery } from '../../src/core/delivery/listener.js';
import type { Payments } from '../../src/core/engine/payments.js';
import { type Asked, type Flow, type Request, summary } from './flow.js';
import type { Process } from './process.js';
import { NODES } from './scenario.js';
import type { Standstill } from './standstill.js';
import { type Tally, tallyOf } from './tally.js';

/** Who wants to know what the nodes hear. */
export interface Audience {
  readonly clock: Pick<Clock, 'now'>;
  readonly flow: Flow;
  readonly standstill: Standstill;
  readonly process: Process;
  readonly tellings: Tally;
  readonly violations: string[];
  readonly note: ((line: string) => void) | undefined;
  /** Whether whoever is told something now throws, before its flow hears it or after that. */
  mishap?(): 'before' | 'after' | undefined;
  readonly listeners: readonly ((asked: Asked, telling: Delivery) => void)[];
}

/** The nodes of the flow in one process: they hand messages to an engine or a door, and hear what became of them. */
export class Nodes {
  private present: readonly string[] = NODES;
  private detachments: (() => void)[] = [];

  constructor(private readonly audience: Audience) {}

  has(node: string): boolean {
    return this.present.includes(node);
  }

  /** @param withoutLast the flow is deployed without its last node */
  deploy(withoutLast: boolean): void {
    this.present = withoutLast ? NODES.slice(0, 1) : NODES;
  }

  attach(engine: Pick<Payments, 'attach' | 'subscribe'>, process: Process): void {
    const deliver = (telling: Delivery): void =>
      process.tell(() => this.orThrow(telling, () => this.hear(telling, 'node')));
    this.detachments = this.present.map((node) => engine.attach(node, { deliver, progress: () => undefined }));
    this.detachments.push(
      engine.subscribe((event) => {
        process.tell(() => {
          if (event.late || !event.claimed) this.orThrow(event.delivery, () => this.hearResult(event));
        });
        return true;
      }),
    );
  }

  detach(): void {
    for (const detach of this.detachments) detach();
  }

  submit(
    engine: Pick<Payments, 'submit' | 'submitBackOffice'>,
    asked: Asked,
    { node, request }: { node: string; request: Request },
    submitted: (asked: Asked) => void,
  ): void {
    const { process } = this.audience;
    asked.submittedAt = this.audience.clock.now();
    const origin = { node, message: { _msgid: asked.id } };
    const operationId =
      request.kind === 'terminal'
        ? engine.submit({ ...request.order, origin })
        : engine.submitBackOffice(request.order, origin);
    operationId.then(
      (id) => {
        if (!process.alive) return;
        asked.operationId = id;
        submitted(asked);
      },
      (error) => {
        asked.rejected = error;
        this.audience.standstill.over(asked);
        this.audience.note?.(`${asked.id} rejected: ${error}`);
      },
    );
  }

  private hear(telling: Delivery, by: 'node' | 'callback-in'): void {
    const { flow, standstill, process, tellings, violations, note, listeners } = this.audience;
    const asked = flow.hear(telling, by, process);
    note?.(`${asked?.id} told by ${by}: ${summary(telling)}`);
    tallyOf(tellings, telling, by);
    if (asked === undefined) violations.push('something was told of a message that nobody sent');
    else {
      standstill.ended(asked, telling.payload, process);
      for (const listener of listeners) listener(asked, telling);
    }
  }

  /** `payment-callback-in` passes on what no node claimed. */
  private hearResult({ delivery, late }: ResultEvent): void {
    const { flow, note } = this.audience;
    if (late) {
      note?.(`late: ${summary(delivery)}`);
      flow.hearLate(delivery);
    } else this.hear(delivery, 'callback-in');
  }

  private orThrow(telling: Delivery, hear: () => void): void {
    const { flow, note, mishap } = this.audience;
    const when = mishap?.();
    if (when !== undefined) flow.noteThrown(telling);
    if (when !== 'before') hear();
    if (when === undefined) return;
    note?.(`whoever was told threw, ${when} its flow had heard it`);
    throw new Error('a node threw');
  }
}
