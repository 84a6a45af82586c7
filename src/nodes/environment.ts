import type { NodeAPI, NodeDef } from 'node-red';
import { PaymentError } from '../core/base/errors.js';
import { registerAdmin } from './admin/routes.js';
import { registerVirtualTerminal } from './admin/virtual-terminal.js';
import { abandonLeft } from './runtime/abandoned.js';
import type { EnvironmentNode, JournalNode, Secrets } from './runtime/config-nodes.js';
import { Access } from './runtime/environment-runtime.js';
import { environmentSettings } from './runtime/environment-settings.js';
import { journalSettings } from './runtime/journal-settings.js';
import { enter, leave, show } from './runtime/registry.js';

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
        if (!(access instanceof Access)) return done();
        leave(access);
        access.close(removed).then(done, done);
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
    const access = new Access(RED, node, settings, recorded, (record) => show(access, record));
    enter(access);
    return access;
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    node.error(error.message);
    const warning = abandonLeft(node.id);
    if (warning !== undefined) node.warn(warning);
    return error;
  }
}
