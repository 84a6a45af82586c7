import type { NodeAPI, NodeDef } from 'node-red';
import { PaymentError } from '../core/base/errors.js';
import type { JournalNode } from './runtime/config-nodes.js';
import { type JournalSettings, journalSettings } from './runtime/settings/journal-settings.js';

interface JournalDef extends NodeDef {
  store?: unknown;
  folder?: unknown;
  keepDays?: unknown;
}

interface Addresses {
  address?: string;
  directAddress?: string;
}

export default function (RED: NodeAPI): void {
  RED.nodes.registerType<JournalNode, JournalDef, Record<string, never>, Addresses>(
    'payment-journal',
    function (this: JournalNode, config: JournalDef) {
      RED.nodes.createNode(this, config);
      this.settings = settingsOf(config, { ...this.credentials });
    },
    { credentials: { address: { type: 'password' }, directAddress: { type: 'password' } } },
  );
}

function settingsOf(config: JournalDef, credentials: Addresses): JournalSettings | PaymentError {
  try {
    return journalSettings(config, credentials);
  } catch (error) {
    if (error instanceof PaymentError) return error;
    throw error;
  }
}
