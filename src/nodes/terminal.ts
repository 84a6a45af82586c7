import type { NodeAPI, NodeDef } from 'node-red';
import type { TerminalNode } from './runtime/config-nodes.js';
import { addTerminal } from './runtime/terminals.js';

interface TerminalDef extends NodeDef {
  environment?: string;
  serialNumber?: unknown;
  terminalType?: unknown;
  exclusive?: unknown;
}

export default function (RED: NodeAPI): void {
  RED.nodes.registerType('payment-terminal', function (this: TerminalNode, config: TerminalDef) {
    RED.nodes.createNode(this, config);
    this.environment = config.environment ?? '';
    this.serialNumber = config.serialNumber ?? '';
    this.terminalType = config.terminalType ?? '';
    this.exclusive = config.exclusive;
    addTerminal(this);
  });
}
