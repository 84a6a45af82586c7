import type { NodeAPI } from 'node-red';
import { onFlowsStarted } from '../runtime/flows-started.js';

/**
 * Whoever has a node's id now. A node that was deployed anew in the middle of a question still hears its answer, but
 * what it sends then goes nowhere: the node that came after it says it, once its flow can be sent to.
 */
export class Handover<Speaker> {
  private readonly speakers = new Map<string, Speaker>();
  private readonly unsaid = new Map<string, ((speaker: Speaker) => void)[]>();

  /** `speaker` has the id from now on. Returns how to leave. */
  enter(RED: NodeAPI, id: string, speaker: Speaker): () => void {
    const stop = onFlowsStarted(RED, () => {
      this.speakers.set(id, speaker);
      const left = this.unsaid.get(id) ?? [];
      this.unsaid.delete(id);
      for (const say of left) say(speaker);
    });
    return () => {
      stop();
      if (this.speakers.get(id) === speaker) this.speakers.delete(id);
    };
  }

  /** Has it said by whoever has the id, at once or as soon as there is somebody. */
  say(id: string, say: (speaker: Speaker) => void): void {
    const speaker = this.speakers.get(id);
    if (speaker === undefined) this.unsaid.set(id, [...(this.unsaid.get(id) ?? []), say]);
    else say(speaker);
  }
}
