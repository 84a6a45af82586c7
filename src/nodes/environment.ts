import type { NodeAPI, NodeDef } from 'node-red';
import { ConfigurationError, PaymentError } from '../core/base/errors.js';
import { registerAdmin } from './admin/routes.js';
import { registerVirtualTerminal } from './admin/virtual-terminal.js';
import { abandonClosed } from './runtime/abandoned.js';
import type { EnvironmentNode, Secrets } from './runtime/config-nodes.js';
import { EnvironmentRuntime } from './runtime/environment-runtime.js';
import { beforeFlowsStarted } from './runtime/flows-started.js';
import { isJournalToCome, journalOf } from './runtime/lookup.js';
import { areSpectators, publish, register, unregister } from './runtime/registry.js';
import { environmentSettings } from './runtime/settings/environment-settings.js';
import { looked, reportUnfollowed } from './runtime/unfollowed.js';

interface EnvironmentDef extends NodeDef {
  journal?: string;
}

export default function (RED: NodeAPI): void {
  registerAdmin(RED);
  registerVirtualTerminal(RED);
  reportUnfollowed(RED);
  RED.nodes.registerType<EnvironmentNode, EnvironmentDef, Record<string, never>, Secrets>(
    'payment-environment',
    function (this: EnvironmentNode, config: EnvironmentDef) {
      RED.nodes.createNode(this, config);
      let stopWaiting = (): void => undefined;
      if (isJournalToCome(RED, config)) {
        this.runtime = new ConfigurationError('the journal of this environment has not started yet');
        stopWaiting = beforeFlowsStarted(RED, () => {
          this.runtime = createRuntime(RED, this, config);
        });
      } else this.runtime = createRuntime(RED, this, config);
      this.on('close', (removed: boolean, done: () => void) => {
        stopWaiting();
        const { runtime } = this;
        const isRunning = runtime instanceof EnvironmentRuntime;
        if (isRunning) unregister(runtime);
        Promise.all([isRunning && runtime.close(removed), looked()]).then(() => done(), done);
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
    const journal = journalOf(RED, config);
    const spectators = { areThere: areSpectators, onChange: publish };
    const runtime: EnvironmentRuntime = new EnvironmentRuntime(RED, node, settings, journal, spectators);
    register(runtime);
    return runtime;
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    node.error(error.message);
    const warning = abandonClosed(node.id);
    if (warning !== undefined) node.warn(warning);
    // The node that a message came to may belong to any of several environments.
    return error instanceof ConfigurationError
      ? new ConfigurationError(`environment "${node.name || node.id}": ${error.message}`)
      : error;
  }
}
