import type { Node, NodeAPI, NodeDef } from 'node-red';
import { PaymentError } from '../core/errors.js';
import { type JournalSettings, journalSettings } from './shared/journal-settings.js';

export interface JournalNode extends Node {
  /** Or why it cannot be used. */
  settings: JournalSettings | PaymentError;
}

interface JournalDef extends NodeDef {
  folder?: unknown;
  keepDays?: unknown;
}

export default function (RED: NodeAPI): void {
  RED.nodes.registerType('payment-journal', function (this: JournalNode, config: JournalDef) {
    RED.nodes.createNode(this, config);
    this.settings = settingsOf(config);
  });
}

function settingsOf(config: JournalDef): JournalSettings | PaymentError {
  try {
    return journalSettings(config);
  } catch (error) {
    if (error instanceof PaymentError) return error;
    throw error;
  }
}
