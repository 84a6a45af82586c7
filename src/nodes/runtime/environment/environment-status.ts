import type { Node } from 'node-red';
import { JournalError } from '../../../core/base/errors.js';

/** What the node of an environment shows on the canvas: whether payments can be recorded, and by whom. */
export class EnvironmentStatus {
  constructor(private readonly node: Node) {}

  /** @param isDoor another Node-RED drives the payments */
  showRole(isDoor: boolean): void {
    if (isDoor) this.node.status({ fill: 'green', shape: 'ring', text: 'status.standby' });
    else this.node.status({ fill: 'green', shape: 'dot', text: 'status.recording' });
  }

  /** @param isNews it has not been reported before */
  showUnusable(error: Error, isNews: boolean): void {
    if (isNews) this.node.error(error);
    const text = error instanceof JournalError ? 'status.journal-unusable' : 'status.environment-unusable';
    this.node.status({ fill: 'red', shape: 'ring', text });
  }
}
