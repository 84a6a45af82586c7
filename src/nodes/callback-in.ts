import type { Node, NodeAPI, NodeDef } from 'node-red';
import { ownCopy } from '../core/base/objects.js';
import { withoutCardNumbers } from '../core/base/privacy/redact.js';
import type { ResultEvent } from '../core/delivery/dispatcher.js';
import { isListening, listen, routeFor } from './runtime/callback-route.js';
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
    let connection = connect(RED, this, config, environment);
    // A deploy of only the modified nodes may replace an environment that a variable names, or remove the node that had the
    // path, without restarting this node.
    const stopWaitingForFlows = onFlowsStarted(RED, () => {
      const current = environmentOf(RED, config);
      if (current === environment) {
        connection.listenAgain();
        return;
      }
      connection.end();
      environment = current;
      connection = connect(RED, this, config, environment);
    });
    this.on('close', (done: () => void) => {
      stopWaitingForFlows();
      connection.end();
      done();
    });
  });
}

interface Connection {
  /** Where another node had the path, and has left it. */
  listenAgain(): void;
  end(): void;
}

function environmentOf(RED: NodeAPI, { environment }: CallbackInDef): EnvironmentRuntime | undefined {
  const runtime = (RED.nodes.getNode(environment ?? '') as EnvironmentNode | null)?.runtime;
  return runtime instanceof EnvironmentRuntime ? runtime : undefined;
}

/** Emits the results of the environment, and listens for them. */
function connect(
  RED: NodeAPI,
  node: Node,
  { environment: id = '', emit = 'all' }: CallbackInDef,
  environment: EnvironmentRuntime | undefined,
): Connection {
  if (environment === undefined) {
    node.status({ fill: 'red', shape: 'ring', text: missingConfigStatus(RED, { environment: id }) });
    return { listenAgain: () => undefined, end: () => undefined };
  }
  let stopListening = listenAt(RED, node, environment);
  const unsubscribe = environment.subscribe((event) => {
    const isTaken = isWired(RED, node) && isWanted(event, emit);
    if (isTaken) node.send(messageOf(event));
    return isTaken;
  });
  return {
    listenAgain() {
      if (isPathFree(RED, environment)) stopListening ??= listenAt(RED, node, environment);
    },
    end() {
      unsubscribe();
      stopListening?.();
    },
  };
}

/** Whether callbacks of the environment can arrive, and nobody listens for them. */
function isPathFree(RED: NodeAPI, { settings: { callbackUrl } }: EnvironmentRuntime): boolean {
  return callbackUrl !== '' && !isHttpDisabled(RED) && !isListening(pathFor(RED, callbackUrl));
}

function isHttpDisabled(RED: NodeAPI): boolean {
  return (RED.settings.httpNodeRoot as unknown) === false;
}

function pathFor(RED: NodeAPI, callbackUrl: string): string {
  return routeFor(callbackUrl, RED.settings.httpNodeRoot || '/');
}

/** Listens at the environment's public address; the node's status shows whether that works. Returns how to stop. */
function listenAt(RED: NodeAPI, node: Node, environment: EnvironmentRuntime): (() => void) | undefined {
  const { callbackUrl, kind } = environment.settings;
  if (callbackUrl === '') {
    const text = kind === 'simulator' ? 'status.listening' : 'status.no-callback-url';
    node.status({ fill: kind === 'simulator' ? 'green' : 'yellow', shape: 'ring', text });
    return undefined;
  }
  if (isHttpDisabled(RED)) {
    node.error('settings.js disables HTTP nodes (httpNodeRoot: false), so no callback can arrive');
    node.status({ fill: 'red', shape: 'ring', text: 'status.no-callback-url' });
    return undefined;
  }
  const path = pathFor(RED, callbackUrl);
  const stopListening = listen(
    RED,
    path,
    async (attemptId, token, body) => (await environment.engine()).callback(attemptId, token, body),
    (attemptId, token) => environment.isForgedCallback(attemptId, token),
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
