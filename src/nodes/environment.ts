import type { NodeAPI, NodeDef } from 'node-red';
import { PaymentError } from '../core/base/errors.js';
import { registerAdmin } from './admin/routes.js';
import { registerVirtualTerminal } from './admin/virtual-terminal.js';
import { abandonLeft } from './runtime/abandoned.js';
import type { EnvironmentNode, JournalNode, Secrets } from './runtime/config-nodes.js';
import { EnvironmentRuntime } from './runtime/environment-runtime.js';
import { environmentSettings } from './runtime/environment-settings.js';
import { journalSettings } from './runtime/journal-settings.js';
import { publish, register, unregister } from './runtime/registry.js';

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
      this.runtime = access;
      this.on('close', (removed: boolean, done: () => void) => {
        if (!(access instanceof EnvironmentRuntime)) return done();
        unregister(access);
        access.close(removed).then(done, done);
      });
    },
    { credentials: { apiKey: { type: 'password' }, callbackSecret: { type: 'password' } } },
  );
}

function createAccess(RED: NodeAPI, node: EnvironmentNode, config: EnvironmentDef): EnvironmentRuntime | PaymentError {
  try {
    const settings = environmentSettings({ ...config }, { ...node.credentials });
    const journal = (RED.nodes.getNode(config.journal ?? '') ?? undefined) as JournalNode | undefined;
    const recorded = journal?.settings ?? journalSettings();
    if (recorded instanceof PaymentError) throw recorded;
    const access = new EnvironmentRuntime(RED, node, settings, recorded, (record) => publish(access, record));
    register(access);
    return access;
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    node.error(error.message);
    const warning = abandonLeft(node.id);
    if (warning !== undefined) node.warn(warning);
    return error;
  }
}
