import type { NodeAPI } from 'node-red';
import { wholeVariable } from '../../form/variables.js';

/** Replaces `${VAR}` and `$(VAR)`, as Node-RED does when it starts the node. */
export function withVariable(RED: NodeAPI, value: string): string {
  const name = wholeVariable(value);
  if (name === undefined) return value;
  return String(process.env[name] ?? RED.util.getSetting(undefined as never, name) ?? '');
}
