import type { Node, NodeAPI, NodeDef, NodeStatus } from 'node-red';
import { Abort } from '../../core/base/abort.js';
import { ConfigurationError, type PaymentError } from '../../core/base/errors.js';
import { ownCopy } from '../../core/base/objects.js';
import { snapshot } from '../../core/base/privacy/snapshot.js';
import type { TransientSet } from '../../core/base/transient.js';
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
import { PendingOrder } from '../runtime/pending-order.js';
import { attachEverywhere } from '../runtime/registry.js';
import { configFlag } from '../runtime/settings/config-values.js';
import { isCopied } from '../runtime/wires.js';
import type { AnswerPayload } from './answers.js';
import { afterCancels, cancelAny, cancelIfMeant } from './cancelling.js';
import { Handover } from './handover.js';
import { answerStatus, mistakeStatus, progressStatus, resultStatus, showStatus } from './node-status.js';
import { carrierOf, type Done, keptPart, openRequestOf, ownDone, ownMessage } from './own-message.js';
import { progressMessage } from './progress-message.js';
import { reportReadably } from './readable-errors.js';
import { namedByEnvironment } from './refused-key.js';
import { errorOf } from './thrown.js';
import { warnOfUnheard } from './unheard-warning.js';
import { type SendMessage, type Waiting, WaitingMessages } from './waiting-messages.js';

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

/** Keeps something in a set for as long as a promise is pending. */
function noted<One extends object>(
  one: One,
  pending: Promise<void>,
  set: TransientSet<One> | undefined,
): Promise<void> {
  const forget = set?.add(one);
  return pending.finally(forget);
}

class ActionNode {
  private readonly waiting = new WaitingMessages();
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
    const order = new PendingOrder();
    order.settled = this.submit(msg, send, done, order)
      .catch((thrown) => this.fail(errorOf(thrown), msg, done))
      // A rejection that nobody takes would end Node-RED, with all its payments.
      .catch(() => this.node.error('a mistake in a message could not be reported'));
    // What only asks may hang for a minute, and nobody cancels it.
    void noted(order, order.settled, canCancel(this.node.type) ? this.environment?.submissions : undefined);
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
    if (this.problem === undefined) showStatus(this.node, status);
  }

  private deliver(delivery: Delivery, environment: string): void {
    const { id, origin } = delivery;
    const waiting = this.waiting.take(id, origin.message);
    const live = waiting?.msg ?? carriedOver.get(id);
    try {
      this.sendResult(delivery, environment, live, waiting);
    } catch (error) {
      // The engine delivers it again. The message itself may have left by one of the wires.
      const again = waiting && { ...waiting, msg: keptPart(ownCopy(origin.message), openRequestOf(waiting.msg)) };
      if (again !== undefined) this.waiting.add(origin.message, again);
      throw error;
    }
    carriedOver.delete(id);
  }

  private sendResult(delivery: Delivery, environment: string, live: Message | undefined, waiting?: Waiting): void {
    const { origin, payload, exit, error } = delivery;
    if (exit !== 'mistake') {
      this.send(OUTPUTS[exit], this.carrier(live, origin, payload, OUTPUTS[exit]), waiting);
      this.show(resultStatus(payload, exit));
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
    const waiting = this.waiting.of(change.origin.message);
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
    for (const waiting of this.waiting.all) this.carryOver(waiting);
    this.waiting.clear();
    this.abort.abort();
  }

  private carryOver({ id, msg }: Waiting): void {
    if (id !== undefined && !this.isRemoved) carriedOver.set(id, msg);
  }

  /** Catch, and what is behind it, may be about to be replaced, and drop it. */
  private fail(error: Error, msg: Message, done: Done): void {
    onceFlowsAreUp(this.RED, () => {
      const replacement = this.isClosed ? handover.replacementOf(this.node.id) : undefined;
      if (replacement !== undefined) return replacement.report(error, msg);
      this.report(error, msg, done);
      // Where its Catch went with it, nobody hears that.
      if (this.isClosed)
        this.node.error(`message ${msg._msgid}: its node was removed, and no money moved: ${error.message}`);
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

  private cancel(targets: readonly CancelTarget[], done: Done): Promise<void> {
    const { environment, problem } = this;
    const earlier = [...(environment?.submissions ?? [])];
    const cancelled = cancelAny({ environment, problem }, targets, earlier).then(() => this.complete(done));
    return noted(cancelled, cancelled, environment?.cancels);
  }

  private async submit(msg: Message, send: SendMessage, done: Done, order: PendingOrder): Promise<void> {
    const targets = cancelTargets(msg.cancel, this.node);
    const { environment } = this;
    if (targets !== undefined) return this.cancel(targets, done);
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
    this.waiting.add(origin.message, waiting);
    try {
      if (this.isRemoved) throw new ConfigurationError('the node was removed while its message was read');
      const answer = await this.action.submit(context);
      if (typeof answer !== 'string') this.answer(answer, origin, waiting);
      else {
        waiting.id = answer;
        if (this.isClosed) this.carryOver(waiting);
        await cancelIfMeant(order, answer, { ...context, node: this.node });
      }
    } catch (error) {
      this.waiting.remove(origin.message);
      throw namedBySource(error, values);
    }
  }

  private answer({ exit, payload }: Answer, origin: Origin, waiting: Waiting): void {
    this.waiting.remove(origin.message);
    const sendFrom = (sender: ActionNode): void => {
      const msg = sender.carrier(waiting.msg, origin, payload, OUTPUTS[exit]);
      sender.send(OUTPUTS[exit], msg, sender === this ? waiting : undefined);
      sender.show(answerStatus(payload, exit));
    };
    onceFlowsAreUp(this.RED, () => {
      const sender = this.isClosed ? handover.replacementOf(this.node.id) : this;
      if (sender !== undefined) sendFrom(sender);
      else this.node.warn(`message ${waiting.msg._msgid}: its node was removed before its answer came`);
    });
  }

  /** What the message leaves as. @param output absent: to Catch */
  private carrier(live: Message | undefined, { message }: Origin, answer: unknown, output?: number): Message {
    return carrierOf(live, message, answer, (carrier) => {
      const hasOtherWires = output !== undefined && isCopied(this.RED, this.node, output);
      if (hasOtherWires || '_dropped' in message) this.RED.util.cloneMessage(carrier);
    });
  }

  private send(output: number, msg: Message, waiting: Waiting | undefined): void {
    this.emit(output, msg, waiting?.send);
    if (waiting !== undefined) this.complete(waiting.done);
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
