import type { Node, NodeAPI, NodeDef } from 'node-red';
import { withoutCardNumber } from '../core/base/redact.js';
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
    const access = (RED.nodes.getNode(config.environment ?? '') as EnvironmentNode | null)?.runtime;
    if (!(access instanceof EnvironmentRuntime)) {
      this.status({
        fill: 'red',
        shape: 'ring',
        text: missingConfigStatus(RED, { environment: config.environment ?? '' }),
      });
      return;
    }
    const unlisten = open(RED, this, access);
    const unwatch = access.subscribe((notice) => {
      if (isWanted(notice, config.emit ?? 'all')) this.send(messageOf(notice));
    });
    this.on('close', (done: () => void) => {
      unwatch();
      unlisten?.();
      done();
    });
  });
}

/** Listens at the environment's public address; says below the node where that cannot be. */
function open(RED: NodeAPI, node: Node, access: EnvironmentRuntime): (() => void) | undefined {
  const { callbackUrl, kind } = access.settings;
  if (callbackUrl === '') {
    const text = kind === 'simulator' ? 'status.listening' : 'status.no-callback-url';
    node.status({ fill: kind === 'simulator' ? 'green' : 'yellow', shape: 'ring', text });
    return undefined;
  }
  if ((RED.settings.httpNodeRoot as unknown) === false) {
    node.error('settings.js switches HTTP nodes off (httpNodeRoot: false): no callback can arrive');
    node.status({ fill: 'red', shape: 'ring', text: 'status.no-callback-url' });
    return undefined;
  }
  const path = routeFor(callbackUrl, RED.settings.httpNodeRoot || '/');
  const unlisten = listen(RED, path, async (attemptId, token, body) =>
    (await access.engine()).callback(attemptId, token, body),
  );
  if (unlisten === undefined) {
    node.error(`another callback node listens at ${path || '/'} already`);
    node.status({ fill: 'red', shape: 'ring', text: 'status.path-taken' });
  } else node.status({ fill: 'green', shape: 'dot', text: 'status.listening' });
  return unlisten;
}

function isWanted({ claimed, late, delivery }: ResultEvent, emit: 'all' | 'unclaimed'): boolean {
  return emit === 'all' || !claimed || late || delivery.payload.correction === true;
}

function messageOf({ delivery, claimed, late }: ResultEvent): Record<string, unknown> {
  // The node that waited has a payload of its own, and is the one that may have asked for a full card number.
  const payload = structuredClone(delivery.payload);
  if (claimed) payload.result = withoutCardNumber(payload.result);
  return { ...delivery.origin.message, payload, claimed: claimed, ...(late ? { late } : {}) };
}
