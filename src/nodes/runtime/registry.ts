import type { Listener } from '../../core/delivery/listener.js';
import type { OperationRecord } from '../../core/journal/record.js';
import type { EnvironmentRuntime } from './environment-runtime.js';

/** The environments of this process by the id of their node, the nodes that hear of them, and the one subscriber to their operations. */

type Subscriber = (record: OperationRecord) => void;

/** A node that sends payments. */
interface Attached {
  node: string;
  listenerIn: (environment: EnvironmentRuntime) => Listener;
  /** How to detach it, by environment. */
  detach: Map<string, () => void>;
}

const open = new Map<string, EnvironmentRuntime>();
const everywhere = new Set<Attached>();
let subscriber: Subscriber | undefined;

export function environmentById(id: string): EnvironmentRuntime | undefined {
  return open.get(id);
}

export function allEnvironments(): EnvironmentRuntime[] {
  return [...open.values()];
}

export function register(environment: EnvironmentRuntime): void {
  open.set(environment.id, environment);
  for (const attached of everywhere) attach(attached, environment);
}

export function unregister(environment: EnvironmentRuntime): void {
  if (open.get(environment.id) === environment) open.delete(environment.id);
}

/**
 * Attaches a node to every environment, also to those that open later: a deploy may move the node to another one while the
 * first has payments of it under way. Returns how to detach it.
 */
export function attachEverywhere(node: string, listenerIn: Attached['listenerIn']): () => void {
  const attached: Attached = { node, listenerIn, detach: new Map() };
  everywhere.add(attached);
  for (const environment of open.values()) attach(attached, environment);
  return () => {
    everywhere.delete(attached);
    for (const detach of attached.detach.values()) detach();
  };
}

function attach({ node, listenerIn, detach }: Attached, environment: EnvironmentRuntime): void {
  const detachFromFormer = detach.get(environment.id);
  detach.set(environment.id, environment.attach(node, listenerIn(environment)));
  detachFromFormer?.();
}

/**
 * Calls `next` with every change of an operation from now on, in place of the former subscriber. Returns how to end that; it
 * leaves a later subscriber alone.
 */
export function subscribe(next: Subscriber): () => void {
  subscriber = next;
  return () => {
    if (subscriber === next) subscriber = undefined;
  };
}

/** Whether anybody gets the changes of operations now. */
export function areSpectators(): boolean {
  return subscriber !== undefined;
}

export function publish(record: OperationRecord): void {
  subscriber?.(record);
}
