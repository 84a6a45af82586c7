import type { Node, NodeAPI, NodeDef } from 'node-red';
import { ownCopy } from '../core/base/objects.js';
import { withoutCardNumbers } from '../core/base/privacy/redact.js';
import type { ResultEvent } from '../core/delivery/dispatcher.js';
import { listen, routeFor } from './runtime/callback-route.js';
import type { EnvironmentNode } from './runtime/config-nodes.js';
import { EnvironmentRuntime } from './runtime/environment-runtime.js';
import { missingConfigStatus } from './runtime/lookup.js';

interface CallbackInDef extends NodeDef {
  environment?: string;
  emit?: 'all' | 'unclaimed';
}

export default function (RED: NodeAPI): void {
  RED.nodes.registerType('payment-callback-in', function (this: Node, config: CallbackInDef) {
    RED.nodes.createNode(this, config);
    const environment = (RED.nodes.getNode(config.environment ?? '') as EnvironmentNode | null)?.runtime;
    if (!(environment instanceof EnvironmentRuntime)) {
      this.status({
        fill: 'red',
        shape: 'ring',
        text: missingConfigStatus(RED, { environment: config.environment ?? '' }),
      });
      return;
    }
    const stopListening = listenAt(RED, this, environment);
    const unsubscribe = environment.subscribe((event) => {
      const isTaken = isWired(this) && isWanted(event, config.emit ?? 'all');
      if (isTaken) this.send(messageOf(event));
      return isTaken;
    });
    this.on('close', (done: () => void) => {
      unsubscribe();
      stopListening?.();
      done();
    });
  });
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
function isWired(node: Node): boolean {
  const { wires } = node as unknown as { wires: readonly (readonly string[])[] };
  return wires.some((output) => output.length > 0);
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
