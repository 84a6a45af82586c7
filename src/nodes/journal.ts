import type { Node, NodeAPI, NodeDef } from 'node-red';
import type { JournalSettings } from './shared/access.js';

export interface JournalNode extends Node {
  settings: JournalSettings;
}

interface JournalDef extends NodeDef {
  folder?: string;
  keepDays?: number | string;
}

const KEEP_DAYS = 400;

export default function (RED: NodeAPI): void {
  RED.nodes.registerType('payment-journal', function (this: JournalNode, config: JournalDef) {
    RED.nodes.createNode(this, config);
    this.settings = { folder: (config.folder ?? '').trim(), keepDays: Number(config.keepDays) || KEEP_DAYS };
  });
}
