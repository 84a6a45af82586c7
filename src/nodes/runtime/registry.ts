import type { OperationRecord } from '../../core/journal/record.js';
import type { EnvironmentRuntime } from './environment-runtime.js';

/** The environments of this process by the id of their node, and the one subscriber to their operations. */

type Subscriber = (environment: EnvironmentRuntime, record: OperationRecord) => void;

const open = new Map<string, EnvironmentRuntime>();
let subscriber: Subscriber | undefined;

export function environmentById(id: string): EnvironmentRuntime | undefined {
  return open.get(id);
}

export function allEnvironments(): EnvironmentRuntime[] {
  return [...open.values()];
}

export function register(environment: EnvironmentRuntime): void {
  open.set(environment.id, environment);
}

export function unregister(environment: EnvironmentRuntime): void {
  if (open.get(environment.id) === environment) open.delete(environment.id);
}

/** Calls `next` with every change of an operation from now on, in place of the former subscriber; undefined: nobody. */
export function subscribe(next: Subscriber | undefined): void {
  subscriber = next;
}

/** Whether anybody gets the changes of operations now. */
export function areSpectators(): boolean {
  return subscriber !== undefined;
}

export function publish(environment: EnvironmentRuntime, record: OperationRecord): void {
  subscriber?.(environment, record);
}
