import type { OperationRecord } from '../../core/journal/record.js';
import type { Access } from './environment-runtime.js';

/** The environments of this process, by the id of their node, and who looks on. */

type Onlooker = (access: Access, record: OperationRecord) => void;

const open = new Map<string, Access>();
let onlooker: Onlooker | undefined;

export function accessById(id: string): Access | undefined {
  return open.get(id);
}

export function allAccesses(): Access[] {
  return [...open.values()];
}

export function enter(access: Access): void {
  open.set(access.id, access);
}

export function leave(access: Access): void {
  if (open.get(access.id) === access) open.delete(access.id);
}

/** Whom every change of an operation is shown to, until somebody else takes the place. */
export function lookOn(who: Onlooker): void {
  onlooker = who;
}

export function show(access: Access, record: OperationRecord): void {
  onlooker?.(access, record);
}
