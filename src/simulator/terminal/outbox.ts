import type { Order } from '../model/order.js';
import type { ResultFacts } from '../results/result-facts.js';
import { ResultText } from '../results/result-store.js';
import { CallbackLoop, type CallbackWorld } from './callbacks.js';
import type { World } from './session/job.js';

/** Brings a terminal's results out: to the provider's store, and to the callback address. Keeps what cannot leave. */
export class Outbox {
  private readonly loops = new Map<string, CallbackLoop>();
  private readonly waiting = new Map<string, ResultFacts>();
  private connected = true;

  constructor(
    private readonly world: World & CallbackWorld & { publicUrl(): string },
    private readonly serial: string,
  ) {}

  /** A result by which the operation may end. */
  post(resultId: string, facts: ResultFacts, { callbackUrl, token }: Pick<Order, 'callbackUrl' | 'token'>): void {
    if (callbackUrl !== undefined && !this.loops.has(resultId)) {
      const target = { url: callbackUrl, token, resultId, serial: this.serial };
      this.loops.set(resultId, new CallbackLoop(this.world, target));
    }
    this.waiting.set(resultId, facts);
    this.flush();
    this.forgetFinished();
  }

  /** A result that only polls may see: a prompt is still open. */
  showInterim(resultId: string, facts: ResultFacts): void {
    if (this.connected) this.world.results.publish(resultId, this.textOf(facts));
  }

  disconnect(): void {
    this.connected = false;
    for (const loop of this.loops.values()) loop.halt();
  }

  /** Connected again, or the application started again: the retry loop begins anew. */
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
