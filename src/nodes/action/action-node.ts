import type { Node, NodeAPI, NodeDef } from 'node-red';
import { ConfigurationError, type PaymentError } from '../../core/base/errors.js';
import { snapshot } from '../../core/base/snapshot.js';
import type { Delivery, Listener, Progress } from '../../core/delivery/listener.js';
import type { Origin } from '../../core/operation/order.js';
import type { Form } from '../form/form.js';
import { checkCapabilities } from '../input/capability-check.js';
import type { ActionContext, Message } from '../input/context.js';
import { FieldReader } from '../input/field-reader.js';
import { namedBySource } from '../input/field-source.js';
import { EnvironmentRuntime } from '../runtime/environment-runtime.js';
import { onFlowsStarted } from '../runtime/flows-started.js';
import { type Addressee, missingConfigStatus, runtimeOf, terminalOf } from '../runtime/lookup.js';
import type { AnswerPayload } from './answers.js';
import { Handover } from './handover.js';
import { answerStatus, mistakeStatus, progressStatus, resultStatus } from './node-status.js';
import { reportReadably } from './readable-errors.js';

import { warnOfUnheard } from './unheard-warning.js';

export type SendMessage = (messages: (Message | null)[]) => void;
export type Done = (error?: Error) => void;

/** The answer to a request that moves no money. */
export interface Answer {
  exit: 'done' | 'not-done' | 'needs-attention';
  payload: AnswerPayload;
}

export interface Action {
  form: Form;
  /**
   * Submits an order to the engine, which answers later, and resolves with its operation id; or resolves with the answer to
   * a request that moves no money. An error goes to Catch, and means that no money moved.
   */
  submit(context: ActionContext): Promise<string | Answer>;
}

type ActionDef = NodeDef & Addressee & { _alias?: string };

/** A message of this process whose answer is pending. */
interface Waiting {
  msg: Message;
  send: SendMessage;
  done: Done;
  operationId?: string;
}

/**
 * By operation: messages whose node was deployed anew before their answer came. They hold what the journal cannot, such as
 * an open HTTP request.
 */
const carriedOver = new Map<string, Message>();

/** For answers and errors that come after their node was deployed anew. */
const handover = new Handover<ActionNode>();

const OUTPUTS = { done: 0, 'not-done': 1, 'needs-attention': 2 } as const;

/** Registers a node type that sends a request for each message. Only this file implements the message contract. */
export function registerAction(RED: NodeAPI, action: Action): void {
  RED.nodes.registerType(action.form.type, function (this: Node, config: ActionDef) {
    RED.nodes.createNode(this, config);
    const node = new ActionNode(RED, this, config, action);
    this.on('input', (msg, send, done) => node.receive(msg as Message, send as unknown as SendMessage, done));
    this.on('close', (removed: boolean, done: () => void) => {
      node.close(removed);
      done();
    });
  });
}

class ActionNode implements Listener {
  /** By origin. After a restart the engine delivers a copy of the origin from the journal, which finds nothing here. */
  private readonly waiting = new Map<Origin, Waiting>();
  private readonly fields: FieldReader;
  private environment: EnvironmentRuntime | undefined;
  private problem: PaymentError | undefined;
  private detach = (): void => undefined;
  private readonly abort = new AbortController();
  private readonly submissions = new Set<Promise<void>>();
  private readonly unregister: () => void;
  private readonly stopWaitingForFlows: () => void;
  private isClosed = false;
  private isRemoved = false;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    private readonly config: ActionDef,
    private readonly action: Action,
  ) {
    this.fields = new FieldReader(RED, node, action.form, config);
    this.connect();
    // A deploy of only the modified nodes may add the missing environment without restarting this node.
    this.stopWaitingForFlows = onFlowsStarted(RED, () => {
      warnOfUnheard(RED, node, config);
      if (this.problem !== undefined) this.connect();
    });
    this.unregister = handover.register(RED, node.id, this);
  }

  private connect(): void {
    const runtime = runtimeOf(this.RED, this.config);
    if (runtime instanceof EnvironmentRuntime) {
      this.environment = runtime;
      this.problem = undefined;
      this.detach = runtime.attach(this.node.id, this);
      this.node.status({});
    } else {
      this.problem = runtime;
      this.node.status({ fill: 'red', shape: 'ring', text: missingConfigStatus(this.RED, this.config) });
    }
  }

  receive(msg: Message, send: SendMessage, done: Done): void {
    const submission = this.submit(msg, send, done).catch((error) => this.fail(error, msg, done));
    this.submissions.add(submission);
    void submission.then(() => this.submissions.delete(submission));
  }

  deliver({ origin, payload, exit, error }: Delivery): void {
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

  /** Open operations go on in the engine. The next node with this id sends their messages. */
  close(removed: boolean): void {
    this.isClosed = true;
    this.isRemoved = removed;
    this.detach();
    this.unregister();
    this.stopWaitingForFlows();
    for (const waiting of this.waiting.values()) this.carryOver(waiting);
    this.waiting.clear();
    this.abort.abort();
  }

  private carryOver({ operationId, msg }: Waiting): void {
    if (operationId !== undefined && !this.isRemoved) carriedOver.set(operationId, msg);
  }

  private fail(error: Error, msg: Message, done: Done): void {
    if (!this.isClosed || this.isRemoved) this.report(error, msg, done);
    else handover.withReplacement(this.node.id, (replacement) => replacement.report(error, msg));
  }

  private report(error: Error, msg: Message, done?: Done): void {
    // The status of a node that lacks its environment already shows the reason.
    if (this.problem === undefined) this.node.status(mistakeStatus(error.message));
    this.toCatch(error, msg, done);
  }

  /** Node-RED copies a message for Catch. Where that fails, Catch gets the part that the journal would keep. */
  private toCatch(error: Error, msg: Message, report: Done = () => this.node.error(error, msg)): void {
    try {
      reportReadably(this.node, () => report(error));
    } catch {
      this.node.error(error, snapshot(msg) as Message);
    }
  }

  /** Stops this node's operations. Each of them still answers its own message. */
  private async cancel(done: Done): Promise<void> {
    // Messages from before the cancel may not have reached the engine yet.
    await Promise.all(this.submissions);
    (await this.environment?.engine())?.cancelOf(this.node.id);
    this.complete(done);
  }

  private async submit(msg: Message, send: SendMessage, done: Done): Promise<void> {
    if (msg.cancel === true) return this.cancel(done);
    const { environment } = this;
    if (environment === undefined) throw this.problem ?? new ConfigurationError('no environment');
    const values = await this.fields.read(msg);
    checkCapabilities(this.action.form, values, environment.settings);
    const origin: Origin = { node: this.node.id, message: snapshot(msg) };
    const context = {
      values,
      msg,
      environment,
      origin,
      terminal: () => terminalOf(this.RED, this.config, environment, msg),
      signal: this.abort.signal,
    };
    // Noted before it is submitted, because the answer may come before the id.
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
    const sendFrom = (sender: ActionNode): void => {
      sender.node.status(answerStatus(payload, exit));
      sender.send(OUTPUTS[exit], msg, sender === this ? waiting : undefined);
    };
    if (!this.isClosed) sendFrom(this);
    else if (!this.isRemoved) handover.withReplacement(this.node.id, sendFrom);
  }

  /** The message itself; where it cannot carry the answer, or cannot be copied, the part of it in the journal. */
  private carrier(live: Message | undefined, { message }: Origin, payload: unknown): Message {
    const copy = { ...message, payload } as Message;
    if (live === undefined) return copy;
    try {
      live.payload = payload;
      if (live.payload !== payload) return copy;
      // Node-RED copies it for every wire but the first. A copy that fails then would leave the first wire with the message
      // and the others without, so try it here.
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

  /** A message that cannot be copied for Complete must not turn its answer into an error. */
  private complete(done: Done): void {
    try {
      done();
    } catch (error) {
      this.node.warn(`the message could not be copied for Complete nodes: ${String(error)}`);
    }
  }
}
