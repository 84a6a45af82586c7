import type { Node, NodeAPI, NodeDef } from 'node-red';
import { PaymentError } from '../core/errors.js';
import type { JournalNode } from './journal.js';
import { Access } from './shared/access.js';
import { registerAdmin } from './shared/admin.js';
import { journalSettings } from './shared/journal-settings.js';
import { abandonLeft } from './shared/left-behind.js';
import { environmentSettings } from './shared/settings.js';
import { registerVirtualTerminal } from './shared/virtual-terminal.js';

interface Secrets {
  apiKey?: string;
  callbackSecret?: string;
}

export interface EnvironmentNode extends Node<Secrets> {
  /** Why nothing can be paid here, or what pays. */
  access: Access | PaymentError;
}

interface EnvironmentDef extends NodeDef {
  journal?: string;
}

export default function (RED: NodeAPI): void {
  registerAdmin(RED);
  registerVirtualTerminal(RED);
  RED.nodes.registerType<EnvironmentNode, EnvironmentDef, Record<string, never>, Secrets>(
    'payment-environment',
    function (this: EnvironmentNode, config: EnvironmentDef) {
      RED.nodes.createNode(this, config);
      const access = createAccess(RED, this, config);
      this.access = access;
      this.on('close', (removed: boolean, done: () => void) => {
        if (access instanceof Access) access.close(removed).then(done, done);
        else done();
      });
    },
    { credentials: { apiKey: { type: 'password' }, callbackSecret: { type: 'password' } } },
  );
}

function createAccess(RED: NodeAPI, node: EnvironmentNode, config: EnvironmentDef): Access | PaymentError {
  try {
    const settings = environmentSettings({ ...config }, { ...node.credentials });
    const journal = (RED.nodes.getNode(config.journal ?? '') ?? undefined) as JournalNode | undefined;
    const recorded = journal?.settings ?? journalSettings();
    if (recorded instanceof PaymentError) throw recorded;
    return new Access(RED, node, settings, recorded);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    node.error(error.message);
    const warning = abandonLeft(node.id);
    if (warning !== undefined) node.warn(warning);
    return error;
  }
}
