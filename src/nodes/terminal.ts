import type { Node, NodeAPI, NodeDef } from 'node-red';

export interface TerminalNode extends Node {
  /** Its id: the node behind it may come with a later deploy that leaves this one as it is. */
  environment: string;
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
    this.environment = config.environment ?? '';
    this.serialNumber = config.serialNumber ?? '';
    this.terminalType = config.terminalType ?? '';
  });
}
