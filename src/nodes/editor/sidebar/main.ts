import type { Summary } from '../../admin/contract.js';
import { RED } from '../host.js';
import { text } from '../words.js';
import { markLiveNodes } from './live-marks.js';
import { Panel } from './panel.js';
import { speakStatuses } from './status-words.js';

/** What the package adds to the editor beside its nodes. The build bundles this file into one html. */

const TAB = 'payments';

RED.plugins.registerPlugin('payment-sidebar', {
  type: 'payments',
  onadd: () => {
    speakStatuses();
    markLiveNodes();
    addSidebar();
  },
});

function addSidebar(): void {
  const panel = new Panel();
  RED.sidebar.addTab({
    id: TAB,
    label: text('sidebar.title'),
    name: text('sidebar.title'),
    content: panel.root,
    iconClass: 'fa fa-credit-card',
    enableOnEdit: true,
    onchange: () => requestAnimationFrame(() => panel.appear()),
  });
  RED.actions.add('payments:show-sidebar', () => RED.sidebar.show(TAB));
  RED.comms.subscribe('payments/operations', (_topic, message) => panel.hear(message as Summary[]));
  RED.comms.on('connect', () => void panel.reload());
  // By whomever it was deployed.
  RED.comms.subscribe('notification/runtime-deploy', () => void panel.reload());
}
