import type { Node, NodeAPI, NodeDef } from 'node-red';
import { ConfigurationError, type PaymentError } from '../../core/base/errors.js';
import { snapshot } from '../../core/base/snapshot.js';
import type { Delivery, Listener, Progress } from '../../core/delivery/listener.js';
import type { Origin } from '../../core/operation/order.js';
import type { Form } from '../form/form.js';
import { checkCapabilities } from '../input/capability-check.js';
import type { ActionContext, Message } from '../input/context.js';
import { namedBySource } from '../input/field-source.js';
import { readFields } from '../input/read-fields.js';
import { EnvironmentRuntime } from '../runtime/environment-runtime.js';
import { onFlowsStarted } from '../runtime/flows-started.js';
import { type Addressee, missingConfigStatus, runtimeOf, terminalOf } from '../runtime/lookup.js';
import { Handover } from './handover.js';
import { answerStatus, progressStatus, resultStatus } from './node-status.js';

export type SendMessage = (messages: (Message | null)[]) => void;
export type Done = (error?: Error) => void;

/** What a question that moves no money was answered with. */
export interface Answer {
  exit: 'done' | 'not-done' | 'needs-attention';
  payload: Record<string, unknown>;
}

export interface Action {
  form: Form;
  /**
   * Hands an order to the engine, which answers later, or answers at once what moves no money. What it throws goes to
   * Catch, and means that no money moved.
   */
  submit(context: ActionContext): Promise<string | Answer>;
}

type ActionDef = NodeDef & Addressee;

/** A message that waits for its answer in this process. */
interface Waiting {
  msg: Message;
  send: SendMessage;
  done: Done;
  operationId?: string;
}

/**
 * Messages, by operation, whose node was deployed anew before their answer came. They still hold what no journal can,
 * such as an HTTP request that waits for its response.
 */
const carriedOver = new Map<string, Message>();

/** For what is answered, or found wrong, after its node was deployed anew. */
const handover = new Handover<ActionNode>();

const OUTPUTS = { done: 0, 'not-done': 1, 'needs-attention': 2 } as const;

/** Registers a node type that asks something of the service for each message: the one place with the message contract. */
export function registerAction(RED: NodeAPI, action: Action): void {
  RED.nodes.registerType(action.form.type, function (this: Node, config: ActionDef) {
    RED.nodes.createNode(this, config);
    const runtime = new ActionNode(RED, this, config, action);
    this.on('input', (msg, send, done) => runtime.take(msg as Message, send as unknown as SendMessage, done));
    this.on('close', (removed: boolean, done: () => void) => {
      runtime.close(removed);
      done();
    });
  });
}

class ActionNode implements Listener {
  /** By the origin that the engine hands back: an object of this process, or a copy from the journal. */
  private readonly waiting = new Map<Origin, Waiting>();
  private access: EnvironmentRuntime | undefined;
  private problem: PaymentError | undefined;
  private detach = (): void => undefined;
  private readonly abort = new AbortController();
  private readonly submissions = new Set<Promise<void>>();
  private readonly leave: () => void;
  private readonly forgetFlows: () => void;
  private isClosed = false;
  private isRemoved = false;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    private readonly config: ActionDef,
    private readonly action: Action,
  ) {
    this.reach();
    // A deploy of modified nodes alone brings what was missing, and leaves this node as it is.
    this.forgetFlows = onFlowsStarted(RED, () => {
      if (this.problem !== undefined) this.reach();
    });
    this.leave = handover.enter(RED, node.id, this);
  }

  private reach(): void {
    const access = runtimeOf(this.RED, this.config);
    if (access instanceof EnvironmentRuntime) {
      this.access = access;
      this.problem = undefined;
      this.detach = access.attach(this.node.id, this);
      this.node.status({});
    } else {
      this.problem = access;
      this.node.status({ fill: 'red', shape: 'ring', text: missingConfigStatus(this.RED, this.config) });
    }
  }

  take(msg: Message, send: SendMessage, done: Done): void {
    const submission = this.submit(msg, send, done).catch((error) => this.fail(error, msg, done));
    this.submissions.add(submission);
    void submission.then(() => this.submissions.delete(submission));
  }

  deliver(telling: Delivery): void {
    const { origin, payload, exit, error } = telling;
    this.node.status(resultStatus(payload, exit));
    const waiting = this.waiting.get(origin);
    this.waiting.delete(origin);
    const live = waiting?.msg ?? carriedOver.get(payload.operationId);
    carriedOver.delete(payload.operationId);
    if (exit !== 'mistake') {
      this.send(OUTPUTS[exit], this.carrier(live, origin, payload), waiting);
      return;
    }
    const mistake = error ?? new ConfigurationError(String(payload.error?.message));
    if (waiting === undefined) this.toCatch(mistake, this.carrier(live, origin, payload));
    else this.toCatch(mistake, waiting.msg, waiting.done);
  }

  progress(progress: Progress): void {
    this.node.status(progressStatus(progress));
  }

  /** What is open goes on in the engine; its messages leave the node that comes next with this id. */
  close(removed: boolean): void {
    this.isClosed = true;
    this.isRemoved = removed;
    this.detach();
    this.leave();
    this.forgetFlows();
    for (const waiting of this.waiting.values()) this.carryOver(waiting);
    this.waiting.clear();
    this.abort.abort();
  }

  private carryOver({ operationId, msg }: Waiting): void {
    if (operationId !== undefined && !this.isRemoved) carriedOver.set(operationId, msg);
  }

  private fail(error: Error, msg: Message, done: Done): void {
    if (!this.isClosed || this.isRemoved) this.complain(error, msg, done);
    else handover.say(this.node.id, (speaker) => speaker.complain(error, msg));
  }

  private complain(error: Error, msg: Message, done?: Done): void {
    // What the node lacks stays in sight: it is why.
    if (this.problem === undefined) this.node.status({ fill: 'red', shape: 'ring', text: 'status.mistake' });
    this.toCatch(error, msg, done);
  }

  /** Node-RED copies a message for Catch. Of one that cannot be copied, Catch has what the journal would keep of it. */
  private toCatch(error: Error, msg: Message, say: Done = () => this.node.error(error, msg)): void {
    try {
      say(error);
    } catch {
      this.node.error(error, snapshot(msg) as Message);
    }
  }

  /** What becomes of the payments that were to be stopped, their own messages say. */
  private async cancel(done: Done): Promise<void> {
    // What came before it is meant too, and may not have reached the engine yet.
    await Promise.all(this.submissions);
    (await this.access?.engine())?.cancelOf(this.node.id);
    this.complete(done);
  }

  private async submit(msg: Message, send: SendMessage, done: Done): Promise<void> {
    if (msg.cancel === true) return this.cancel(done);
    const { access } = this;
    if (access === undefined) throw this.problem ?? new ConfigurationError('no environment');
    const values = await readFields(this.RED, this.node, this.action.form, this.config, msg);
    checkCapabilities(this.action.form, values, access.settings);
    const origin: Origin = { node: this.node.id, message: snapshot(msg) };
    const context = {
      values,
      msg,
      environment: access,
      origin,
      terminal: () => terminalOf(this.RED, this.config, access, msg),
      signal: this.abort.signal,
    };
    // Before it is submitted: the answer may be there before the id.
    const waiting: Waiting = { msg, send, done };
    this.waiting.set(origin, waiting);
    try {
      const answer = await this.action.submit(context);
      if (typeof answer !== 'string') this.answer(answer, origin, waiting);
      else {
        waiting.operationId = answer;
        if (this.isClosed) this.carryOver(waiting);
      }
    } catch (error) {
      this.waiting.delete(origin);
      throw namedBySource(error, values);
    }
  }

  private answer({ exit, payload }: Answer, origin: Origin, waiting: Waiting): void {
    this.waiting.delete(origin);
    const msg = this.carrier(waiting.msg, origin, payload);
    const say = (speaker: ActionNode): void => {
      speaker.node.status(answerStatus(payload, exit));
      speaker.send(OUTPUTS[exit], msg, speaker === this ? waiting : undefined);
    };
    if (!this.isClosed) say(this);
    else if (!this.isRemoved) handover.say(this.node.id, say);
  }

  /** The message as it came, or, where it can carry no answer or cannot be copied, what the journal has of it. */
  private carrier(live: Message | undefined, { message }: Origin, payload: unknown): Message {
    const copy = { ...message, payload } as Message;
    if (live === undefined) return copy;
    try {
      live.payload = payload;
      if (live.payload !== payload) return copy;
      // It is copied for every wire but the first, and by then the first one has it.
      if ('_dropped' in message) this.RED.util.cloneMessage(live);
      return live;
    } catch {
      return copy;
    }
  }

  private send(output: number, msg: Message, waiting: Waiting | undefined): void {
    const messages = this.action.form.outputs.map((_, place) => (place === output ? msg : null));
    (waiting?.send ?? this.node.send.bind(this.node))(messages);
    if (waiting !== undefined) this.complete(waiting.done);
  }

  /** That Complete can have no copy of a message makes no mistake of what it was answered with. */
  private complete(done: Done): void {
    try {
      done();
    } catch (error) {
      this.node.warn(`Complete could not be told: ${String(error)}`);
    }
  }
}
