import type { Changed } from '../../admin/contract.js';
import { RED } from '../host.js';
import { text } from '../words.js';
import { markLiveNodes } from './live-marks.js';
import { Panel } from './panel.js';
import { translateStatuses } from './status-words.js';

/** The package's editor plugin: everything in the editor except the nodes' dialogs. The build bundles it into one html. */

const TAB = 'payments';

RED.plugins.registerPlugin('payment-sidebar', {
  type: 'payments',
  onadd: () => {
    translateStatuses();
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
  RED.comms.subscribe('payments/operations', (_topic, message) => panel.update(message as Changed));
  // This editor may have been open before the package was installed, so that nobody has counted it.
  RED.comms.subscribe('payments/editors', (topic) => RED.comms.send(topic, true));
  RED.comms.on('connect', () => void panel.reload());
  // A deploy from any editor.
  RED.comms.subscribe('notification/runtime-deploy', () => void panel.reload());
}
