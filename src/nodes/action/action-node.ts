import type { Node, NodeAPI, NodeDef, NodeStatus } from 'node-red';
import { Abort } from '../../core/base/abort.js';
import { ConfigurationError, type PaymentError } from '../../core/base/errors.js';
import { ownCopy } from '../../core/base/objects.js';
import { snapshot } from '../../core/base/privacy/snapshot.js';
import type { Delivery, Listener, StageChange } from '../../core/delivery/listener.js';
import type { CancelTarget } from '../../core/engine/cancellation.js';
import type { Origin } from '../../core/operation/order.js';
import type { Form } from '../form/form.js';
import { canCancel, cancelTargets } from '../input/cancel-targets.js';
import { checkCapabilities } from '../input/capability-check.js';
import type { ActionContext, Message } from '../input/context.js';
import { FieldReader } from '../input/field-reader.js';
import { namedBySource } from '../input/field-source.js';
import { tokenIn } from '../input/field-values.js';
import { messageKey } from '../input/message-key.js';
import { EnvironmentRuntime } from '../runtime/environment-runtime.js';
import { onceFlowsAreUp, onFlowsStarted } from '../runtime/flows-started.js';
import { type Addressee, missingConfigStatus, runtimeOf, terminalOf } from '../runtime/lookup.js';
import { attachEverywhere } from '../runtime/registry.js';
import { configFlag } from '../runtime/settings/config-values.js';
import { isCopied } from '../runtime/wires.js';
import type { AnswerPayload } from './answers.js';
import { afterCancels, cancelAny } from './cancelling.js';
import { Handover } from './handover.js';
import { answerStatus, mistakeStatus, progressStatus, resultStatus } from './node-status.js';
import { type Done, keptPart, openRequestOf, ownDone, ownMessage, withPayload } from './own-message.js';
import { progressMessage } from './progress-message.js';
import { reportReadably } from './readable-errors.js';
import { namedByEnvironment } from './refused-key.js';
import { errorOf } from './thrown.js';
import { warnOfUnheard } from './unheard-warning.js';

type SendMessage = (messages: (Message | null)[]) => void;

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

interface ActionDef extends NodeDef, Addressee {
  /** It has a fourth output. A variable may say so, and then it is a text. */
  progress?: unknown;
  /** The subflow's own id of this node. */
  _alias?: string;
}

/** A message of this process whose answer is pending. */
interface Waiting {
  msg: Message;
  send: SendMessage;
  done: Done;
  /** As {@link Delivery.id}. */
  id?: string;
}

/**
 * By id: messages whose node was deployed anew before their answer came. They hold what the journal cannot, such as
 * an open HTTP request.
 */
const carriedOver = new Map<string, Message>();

/** For answers and errors that come after their node was deployed anew. */
const handover = new Handover<ActionNode>();

const OUTPUTS = { done: 0, 'not-done': 1, 'needs-attention': 2, progress: 3 } as const;

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

/** Keeps a promise in a set for as long as it is pending. */
function noted(pending: Promise<void>, set: Set<Promise<void>> | undefined): Promise<void> {
  set?.add(pending);
  return pending.finally(() => set?.delete(pending));
}

class ActionNode {
  /** By their copies in the journal. What the engine resumed has a copy of its own, and is found by its id. */
  private readonly waiting = new Map<Origin['message'], Waiting>();
  private readonly fields: FieldReader;
  private environment: EnvironmentRuntime | undefined;
  private problem: PaymentError | undefined;
  private readonly detach: () => void;
  private readonly abort = new Abort();
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
    this.detach = attachEverywhere(node.id, (environment) => this.listenerIn(environment));
    // A deploy of only the modified nodes may add the missing environment, or replace one that a variable names, without
    // restarting this node.
    this.stopWaitingForFlows = onFlowsStarted(RED, () => {
      warnOfUnheard(RED, node, config);
      this.connect();
    });
    this.unregister = handover.register(RED, node.id, this);
  }

  private connect(): void {
    const runtime = runtimeOf(this.RED, this.config);
    if (runtime === this.environment) return;
    const isUsable = runtime instanceof EnvironmentRuntime;
    [this.environment, this.problem] = isUsable ? [runtime, undefined] : [undefined, runtime];
    const text = missingConfigStatus(this.RED, this.config);
    this.node.status(isUsable ? {} : { fill: 'red', shape: 'ring', text });
  }

  receive(received: Message, send: SendMessage, report: Done): void {
    const msg = ownMessage(received);
    const done = ownDone(this.node, msg, received, report);
    const submission = this.submit(msg, send, done)
      .catch((thrown) => this.fail(errorOf(thrown), msg, done))
      // A rejection that nobody takes would end Node-RED, with all its payments.
      .catch(() => this.node.error('a mistake in a message could not be reported'));
    // What only asks may hang for a minute, and nobody cancels it.
    void noted(submission, canCancel(this.node.type) ? this.environment?.submissions : undefined);
  }

  private listenerIn({ name }: EnvironmentRuntime): Listener {
    return {
      deliver: (delivery) => this.deliver(delivery, name),
      progress: (progress) => this.show(progressStatus(progress)),
      stage: (change) => this.stage(change),
    };
  }

  /** The status of a node that lacks its environment goes on to show that. */
  private show(status: NodeStatus): void {
    if (this.problem === undefined) this.node.status(status);
  }

  private deliver({ id, origin, payload, exit, error }: Delivery, environment: string): void {
    const waiting = this.take(id, origin);
    const live = waiting?.msg ?? carriedOver.get(id);
    carriedOver.delete(id);
    if (exit !== 'mistake') {
      this.show(resultStatus(payload, exit));
      this.send(OUTPUTS[exit], this.carrier(live, origin, payload, OUTPUTS[exit]), waiting);
      return;
    }
    const cause = error ?? new ConfigurationError(String(payload.error?.message));
    const mistake = namedByEnvironment(cause, environment);
    this.show(mistakeStatus(mistake.message));
    if (waiting === undefined) this.toCatch(mistake, this.carrier(live, origin, payload));
    else this.toCatch(mistake, waiting.msg, waiting.done);
  }

  private stage(change: StageChange): void {
    if (!this.hasProgress()) return;
    const waiting = this.waiting.get(change.origin.message);
    const live = waiting?.msg ?? carriedOver.get(change.id);
    this.emit(OUTPUTS.progress, progressMessage(this.RED, live, change), waiting?.send);
  }

  /** @throws ConfigurationError */
  private hasProgress(): boolean {
    return configFlag('progress output', this.config.progress, false);
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

  /** The message of this process that an answer is for. */
  private take(id: string, { message }: Origin): Waiting | undefined {
    const isHere = this.waiting.has(message);
    const key = isHere ? message : [...this.waiting].find(([, waiting]) => waiting.id === id)?.[0];
    const waiting = key && this.waiting.get(key);
    if (key !== undefined) this.waiting.delete(key);
    return waiting;
  }

  private carryOver({ id, msg }: Waiting): void {
    if (id !== undefined && !this.isRemoved) carriedOver.set(id, msg);
  }

  /** Catch, and what is behind it, may be about to be replaced, and drop it. */
  private fail(error: Error, msg: Message, done: Done): void {
    onceFlowsAreUp(this.RED, () => {
      if (!this.isClosed || this.isRemoved) this.report(error, msg, done);
      else handover.withReplacement(this.node.id, (replacement) => replacement.report(error, msg));
    });
  }

  private report(cause: Error, msg: Message, done?: Done): void {
    const { environment } = this;
    const error = environment === undefined ? cause : namedByEnvironment(cause, environment.name);
    this.show(mistakeStatus(error.message));
    this.toCatch(error, msg, done);
  }

  /** Node-RED copies a message for Catch. Where that fails, Catch gets the part that the journal would keep. */
  private toCatch(error: Error, msg: Message, report: Done = () => this.node.error(error, msg)): void {
    const open = openRequestOf(msg);
    try {
      reportReadably(this.node, () => report(error));
    } catch {
      this.node.error(error, keptPart(snapshot(msg), open));
    }
  }

  private async cancel(targets: readonly CancelTarget[], done: Done): Promise<void> {
    const { environment, problem } = this;
    const earlier = [...(environment?.submissions ?? [])];
    await cancelAny(this.RED, { environment, problem }, targets, earlier);
    this.complete(done);
  }

  private async submit(msg: Message, send: SendMessage, done: Done): Promise<void> {
    const targets = cancelTargets(msg.cancel, this.node);
    const { environment } = this;
    if (targets !== undefined) return noted(this.cancel(targets, done), environment?.cancels);
    if (environment === undefined) throw this.problem ?? new ConfigurationError('no environment');
    // A stage has no way to Catch, so a mistake in this is told before anything is sent.
    this.hasProgress();
    await afterCancels(environment.cancels);
    const values = await this.fields.read(msg);
    checkCapabilities(this.action.form, values, environment.settings);
    const key = messageKey(values);
    const message = snapshot(msg, { secret: tokenIn(values) });
    const origin: Origin = { node: this.node.id, message, ...(key === undefined ? {} : { key }) };
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
    this.waiting.set(origin.message, waiting);
    try {
      const answer = await this.action.submit(context);
      if (typeof answer !== 'string') this.answer(answer, origin, waiting);
      else {
        waiting.id = answer;
        if (this.isClosed) this.carryOver(waiting);
      }
    } catch (error) {
      this.waiting.delete(origin.message);
      throw namedBySource(error, values);
    }
  }

  private answer({ exit, payload }: Answer, origin: Origin, waiting: Waiting): void {
    this.waiting.delete(origin.message);
    const sendFrom = (sender: ActionNode): void => {
      sender.node.status(answerStatus(payload, exit));
      const msg = sender.carrier(waiting.msg, origin, payload, OUTPUTS[exit]);
      sender.send(OUTPUTS[exit], msg, sender === this ? waiting : undefined);
    };
    onceFlowsAreUp(this.RED, () => {
      if (!this.isClosed) sendFrom(this);
      else if (!this.isRemoved) handover.withReplacement(this.node.id, sendFrom);
    });
  }

  /**
   * The message itself; where it cannot be copied, the part of it in the journal, and its HTTP request. A flow edits what it gets,
   * and the engine tells the same answer again.
   * @param output that it leaves by; absent: to Catch
   */
  private carrier(live: Message | undefined, { message }: Origin, answer: unknown, output?: number): Message {
    const payload = ownCopy(answer);
    if (live === undefined) return { ...ownCopy(message), payload };
    const open = openRequestOf(live);
    try {
      const carrier = withPayload(live, payload);
      // Node-RED copies it for every wire but the first. A copy that fails then would leave the first wire with the message
      // and the others without, so try it here.
      const hasOtherWires = output !== undefined && isCopied(this.RED, this.node, output);
      if (hasOtherWires || '_dropped' in message) this.RED.util.cloneMessage(carrier);
      return carrier;
    } catch {
      return { ...keptPart(ownCopy(message), open), payload };
    }
  }

  private send(output: number, msg: Message, waiting: Waiting | undefined): void {
    try {
      this.emit(output, msg, waiting?.send);
    } finally {
      if (waiting !== undefined) this.complete(waiting.done);
    }
  }

  private emit(output: number, msg: Message, send: SendMessage = this.node.send.bind(this.node)): void {
    send(Array.from({ length: output + 1 }, (_, place) => (place === output ? msg : null)));
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
