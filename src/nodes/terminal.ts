import type { Node, NodeAPI, NodeDef } from 'node-red';
import type { EnvironmentNode } from './environment.js';

export interface TerminalNode extends Node {
  environment: EnvironmentNode | undefined;
  /** Empty: the simulator's first one. */
  serialNumber: string;
  terminalType: string;
}

interface TerminalDef extends NodeDef {
  environment?: string;
  serialNumber?: string;
  terminalType?: string;
}

export default function (RED: NodeAPI): void {
  RED.nodes.registerType('payment-terminal', function (this: TerminalNode, config: TerminalDef) {
    RED.nodes.createNode(this, config);
    this.environment = (RED.nodes.getNode(config.environment ?? '') ?? undefined) as EnvironmentNode | undefined;
    this.serialNumber = config.serialNumber ?? '';
    this.terminalType = config.terminalType ?? '';
  });
}
