import type { NodeAPI, NodeDef } from 'node-red';
import { PaymentError } from '../core/base/errors.js';
import type { OperationRecord } from '../core/journal/record.js';
import { registerAdmin } from './admin/routes.js';
import { registerVirtualTerminal } from './admin/virtual-terminal.js';
import { abandonClosed } from './runtime/abandoned.js';
import type { EnvironmentNode, JournalNode, Secrets } from './runtime/config-nodes.js';
import { EnvironmentRuntime } from './runtime/environment-runtime.js';
import { areSpectators, publish, register, unregister } from './runtime/registry.js';
import { environmentSettings } from './runtime/settings/environment-settings.js';
import { journalSettings } from './runtime/settings/journal-settings.js';

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
      const runtime = createRuntime(RED, this, config);
      this.runtime = runtime;
      this.on('close', (removed: boolean, done: () => void) => {
        if (!(runtime instanceof EnvironmentRuntime)) return done();
        unregister(runtime);
        runtime.close(removed).then(done, done);
      });
    },
    {
      credentials: {
        apiKey: { type: 'password' },
        secondApiKey: { type: 'password' },
        callbackSecret: { type: 'password' },
      },
    },
  );
}

function createRuntime(RED: NodeAPI, node: EnvironmentNode, config: EnvironmentDef): EnvironmentRuntime | PaymentError {
  try {
    const settings = environmentSettings({ ...config }, { ...node.credentials });
    const journal = (RED.nodes.getNode(config.journal ?? '') ?? undefined) as JournalNode | undefined;
    const recorded = journal?.settings ?? journalSettings();
    if (recorded instanceof PaymentError) throw recorded;
    const spectators = {
      areThere: areSpectators,
      onChange: (record: OperationRecord) => publish(runtime, record),
    };
    const runtime: EnvironmentRuntime = new EnvironmentRuntime(RED, node, settings, recorded, spectators);
    register(runtime);
    return runtime;
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    node.error(error.message);
    const warning = abandonClosed(node.id);
    if (warning !== undefined) node.warn(warning);
    return error;
  }
}
