import type { NodeAPI } from 'node-red';

/** Replaces `${VAR}`, as Node-RED does when it starts the node. */
export function withVariable(RED: NodeAPI, value: string): string {
  const name = /^\$\{([^}]+)\}$/.exec(value.trim())?.[1];
  if (name === undefined) return value;
  return String(process.env[name] ?? RED.util.getSetting(undefined as never, name) ?? '');
}
