import type { Node, NodeAPI, NodeDef } from 'node-red';
import { withoutCardNumber } from '../core/base/redact.js';
import type { Notice } from '../core/delivery/dispatcher.js';
import { listen, routeFor } from './runtime/callback-route.js';
import type { EnvironmentNode } from './runtime/config-nodes.js';
import { Access } from './runtime/environment-runtime.js';
import { lackOf } from './runtime/lookup.js';

interface CallbackInDef extends NodeDef {
  environment?: string;
  emit?: 'all' | 'unclaimed';
}

export default function (RED: NodeAPI): void {
  RED.nodes.registerType('payment-callback-in', function (this: Node, config: CallbackInDef) {
    RED.nodes.createNode(this, config);
    const access = (RED.nodes.getNode(config.environment ?? '') as EnvironmentNode | null)?.access;
    if (!(access instanceof Access)) {
      this.status({ fill: 'red', shape: 'ring', text: lackOf(RED, { environment: config.environment ?? '' }) });
      return;
    }
    const unlisten = open(RED, this, access);
    const unwatch = access.watch((notice) => {
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
function open(RED: NodeAPI, node: Node, access: Access): (() => void) | undefined {
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

function isWanted({ waited, late, telling }: Notice, emit: 'all' | 'unclaimed'): boolean {
  return emit === 'all' || !waited || late || telling.payload.correction === true;
}

function messageOf({ telling, waited, late }: Notice): Record<string, unknown> {
  // The node that waited has a payload of its own, and is the one that may have asked for a full card number.
  const payload = structuredClone(telling.payload);
  if (waited) payload.result = withoutCardNumber(payload.result);
  return { ...telling.origin.message, payload, claimed: waited, ...(late ? { late } : {}) };
}
