import type { OperationRecord } from '../../core/journal/record.js';
import type { EnvironmentRuntime } from './environment-runtime.js';

/** The environments of this process, by the id of their node, and who looks on. */

type Onlooker = (access: EnvironmentRuntime, record: OperationRecord) => void;

const open = new Map<string, EnvironmentRuntime>();
let onlooker: Onlooker | undefined;

export function environmentById(id: string): EnvironmentRuntime | undefined {
  return open.get(id);
}

export function allEnvironments(): EnvironmentRuntime[] {
  return [...open.values()];
}

export function register(access: EnvironmentRuntime): void {
  open.set(access.id, access);
}

export function unregister(access: EnvironmentRuntime): void {
  if (open.get(access.id) === access) open.delete(access.id);
}

/** Whom every change of an operation is shown to, until somebody else takes the place. */
export function subscribe(who: Onlooker): void {
  onlooker = who;
}

export function publish(access: EnvironmentRuntime, record: OperationRecord): void {
  onlooker?.(access, record);
}
