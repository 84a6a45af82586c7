import type { Node, NodeAPI, NodeDef } from 'node-red';
import { ownCopy } from '../core/base/objects.js';
import { withoutCardNumbers } from '../core/base/privacy/redact.js';
import type { ResultEvent } from '../core/delivery/dispatcher.js';
import { listen, routeFor } from './runtime/callback-route.js';
import type { EnvironmentNode } from './runtime/config-nodes.js';
import { EnvironmentRuntime } from './runtime/environment-runtime.js';
import { onFlowsStarted } from './runtime/flows-started.js';
import { missingConfigStatus } from './runtime/lookup.js';
import { leadsSomewhere } from './runtime/wires.js';

interface CallbackInDef extends NodeDef {
  environment?: string;
  emit?: 'all' | 'unclaimed';
}

export default function (RED: NodeAPI): void {
  RED.nodes.registerType('payment-callback-in', function (this: Node, config: CallbackInDef) {
    RED.nodes.createNode(this, config);
    let environment = environmentOf(RED, config);
    let disconnect = connect(RED, this, config, environment);
    // A deploy of only the modified nodes may replace an environment that a variable names without restarting this node.
    const stopWaitingForFlows = onFlowsStarted(RED, () => {
      const current = environmentOf(RED, config);
      if (current === environment) return;
      disconnect();
      environment = current;
      disconnect = connect(RED, this, config, environment);
    });
    this.on('close', (done: () => void) => {
      stopWaitingForFlows();
      disconnect();
      done();
    });
  });
}

function environmentOf(RED: NodeAPI, { environment }: CallbackInDef): EnvironmentRuntime | undefined {
  const runtime = (RED.nodes.getNode(environment ?? '') as EnvironmentNode | null)?.runtime;
  return runtime instanceof EnvironmentRuntime ? runtime : undefined;
}

/** Emits the results of the environment, and listens for them. Returns how to stop both. */
function connect(
  RED: NodeAPI,
  node: Node,
  { environment: id = '', emit = 'all' }: CallbackInDef,
  environment: EnvironmentRuntime | undefined,
): () => void {
  if (environment === undefined) {
    node.status({ fill: 'red', shape: 'ring', text: missingConfigStatus(RED, { environment: id }) });
    return () => undefined;
  }
  const stopListening = listenAt(RED, node, environment);
  const unsubscribe = environment.subscribe((event) => {
    const isTaken = isWired(RED, node) && isWanted(event, emit);
    if (isTaken) node.send(messageOf(event));
    return isTaken;
  });
  return () => {
    unsubscribe();
    stopListening?.();
  };
}

/** Listens at the environment's public address; the node's status shows whether that works. Returns how to stop. */
function listenAt(RED: NodeAPI, node: Node, environment: EnvironmentRuntime): (() => void) | undefined {
  const { callbackUrl, kind } = environment.settings;
  if (callbackUrl === '') {
    const text = kind === 'simulator' ? 'status.listening' : 'status.no-callback-url';
    node.status({ fill: kind === 'simulator' ? 'green' : 'yellow', shape: 'ring', text });
    return undefined;
  }
  if ((RED.settings.httpNodeRoot as unknown) === false) {
    node.error('settings.js disables HTTP nodes (httpNodeRoot: false), so no callback can arrive');
    node.status({ fill: 'red', shape: 'ring', text: 'status.no-callback-url' });
    return undefined;
  }
  const path = routeFor(callbackUrl, RED.settings.httpNodeRoot || '/');
  const stopListening = listen(RED, path, async (attemptId, token, body) =>
    (await environment.engine()).callback(attemptId, token, body),
  );
  if (stopListening === undefined) {
    node.error(`another callback-in node already listens at ${path || '/'}`);
    node.status({ fill: 'red', shape: 'ring', text: 'status.path-taken' });
  } else node.status({ fill: 'green', shape: 'dot', text: 'status.listening' });
  return stopListening;
}

/** A node that only listens at the callback address has no wire, and needs no copy of each result. */
function isWired(RED: NodeAPI, node: Node): boolean {
  const { wires } = node as unknown as { wires: readonly (readonly string[])[] };
  return wires.some((output) => leadsSomewhere(RED, output));
}

function isWanted({ claimed, late, delivery }: ResultEvent, emit: 'all' | 'unclaimed'): boolean {
  return emit === 'all' || !claimed || late || delivery.payload.correction === true;
}

function messageOf({ delivery, claimed, late }: ResultEvent): Record<string, unknown> {
  // Only the node that sent the message may have asked for a full card number, and it has a payload of its own.
  const payload = ownCopy(delivery.payload);
  if (claimed) payload.result = withoutCardNumbers(payload.result);
  return { ...ownCopy(delivery.origin.message), payload, claimed, ...(late ? { late } : {}) };
}
