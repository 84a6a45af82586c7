import type { Order } from '../model/order.js';
import type { ResultFacts } from '../results/result-facts.js';
import { ResultText } from '../results/result-store.js';
import { CallbackLoop, type CallbackWorld } from './callbacks.js';
import type { World } from './session/job.js';

/** Publishes a terminal's results to the result store and the callback address. Keeps those that cannot be sent yet. */
export class Outbox {
  private readonly loops = new Map<string, CallbackLoop>();
  private readonly waiting = new Map<string, ResultFacts>();
  private connected = true;

  constructor(
    private readonly world: World & CallbackWorld & { publicUrl(): string },
    private readonly serial: string,
  ) {}

  /** Publishes a result that may be final. */
  post(resultId: string, facts: ResultFacts, { callbackUrl, token }: Pick<Order, 'callbackUrl' | 'token'>): void {
    if (callbackUrl !== undefined && !this.loops.has(resultId)) {
      const target = { url: callbackUrl, token, resultId, serial: this.serial };
      this.loops.set(resultId, new CallbackLoop(this.world, target));
    }
    this.waiting.set(resultId, facts);
    this.flush();
    this.forgetFinished();
  }

  /** Publishes an interim result, visible to polls alone, while a prompt is open. */
  showInterim(resultId: string, facts: ResultFacts): void {
    if (this.connected) this.world.results.publish(resultId, this.textOf(facts));
  }

  disconnect(): void {
    this.connected = false;
    for (const loop of this.loops.values()) loop.halt();
  }

  /** The terminal is connected again, or its application restarted: the callback schedules begin again. */
  reconnect(): void {
    this.connected = true;
    for (const loop of this.loops.values()) loop.restart();
    for (const [resultId, facts] of this.waiting) this.waiting.set(resultId, { ...facts, recovered: true });
    this.flush();
  }

  private flush(): void {
    if (!this.connected) return;
    for (const [resultId, facts] of this.waiting) {
      const text = this.textOf(facts);
      this.world.results.publish(resultId, text);
      this.loops.get(resultId)?.post(text);
    }
    this.waiting.clear();
  }

  private forgetFinished(): void {
    for (const [resultId, loop] of this.loops) {
      if (loop.finished && !this.waiting.has(resultId)) this.loops.delete(resultId);
    }
  }

  private textOf(facts: ResultFacts): ResultText {
    return new ResultText(facts, this.world.variants, this.world.publicUrl());
  }
}
