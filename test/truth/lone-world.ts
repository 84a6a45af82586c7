import type { HttpAnswer, HttpRequest } from '../../src/core/base/seams.js';
import type { CallbackAnswer } from '../../src/core/engine/callback-receiver.js';
import { Engine } from '../../src/core/engine/engine.js';
import type { OperationRecord } from '../../src/core/journal/record.js';
import { Draw } from './draw.js';
import type { Asked, Heard, Request } from './flow.js';
import { Nodes } from './nodes.js';
import { Process } from './process.js';
import { CALLBACK, Traffic } from './traffic.js';
import { ENVIRONMENT, START_AGAIN, World } from './world.js';

/** One process at a time, which has the journal to itself. */
export class LoneWorld extends World {
  override process: Process = this.newProcess(0);
  override engine: Engine | undefined;
  override readonly isShared = false;
  override readonly nodes = new Nodes(this);
  private readonly traffic = new Traffic(this);
  private readonly lateness = new Draw(this.scenario.seed, 12);
  private awaiting: ((engine: Engine) => void)[] = [];
  /** What the disk holds when the process starts the next time; undefined where nobody has touched it. */
  private replacement: (() => readonly OperationRecord[]) | undefined;

  override start(): void {
    this.process.startClock(this.skewOf(0));
    this.connection.start();
    void this.boot();
  }

  override callback(attemptId: string, token: string | undefined, body: string): Promise<CallbackAnswer> | undefined {
    return this.process.alive ? this.engine?.callback(attemptId, token, body) : undefined;
  }

  override ask(id: string, root: string, node: string, request: Request, submitted: (asked: Asked) => void): void {
    if (!this.process.alive || !this.nodes.has(node)) return;
    const asked = this.noteAsked(this.flow.ask(id, root, node, request, this.process));
    const submit = (engine: Engine): void => this.nodes.submit(engine, asked, { node, request }, submitted);
    const { process } = this;
    process.whenThawed(() => {
      if (!process.alive) return;
      if (this.engine === undefined) this.awaiting.push(submit);
      else submit(this.engine);
    });
  }

  protected override deliver(request: HttpRequest): Promise<HttpAnswer> {
    return this.traffic.deliver(request);
  }

  override hasEnded(life: number): boolean {
    return life < this.process.number;
  }

  override mayRepeat(told: Heard, before: Heard | undefined, { life }: Asked): boolean {
    return (before?.life ?? life) !== told.life;
  }

  override get mostRepeats(): number {
    return this.crashes;
  }

  override hasAsked({ life }: Heard, reference: string): boolean {
    return this.witnesses.wasAskedIn(life, reference);
  }

  override struckUntil(): number {
    return Number.NEGATIVE_INFINITY;
  }

  override leftovers(): string[] {
    const { pending } = this.clock;
    return pending > 0 && !this.isOffForGood ? [`${pending} timers are left`] : [];
  }

  override cancel({ id, operationId }: Asked): void {
    this.process.whenThawed(() => {
      if (operationId === undefined || this.engine === undefined) return;
      this.note?.(`${id} cancel asked`);
      this.faults.add('cancel');
      this.engine.cancel(operationId);
    });
  }

  override freeze(ms: number, isAsleep = false): void {
    const { engine, process } = this;
    if (isAsleep) process.sleep(ms);
    else process.freeze(ms);
    if (process.alive) this.uptime.end(true);
    process.whenThawed(() => {
      if (engine !== undefined && engine === this.engine) this.uptime.begin();
    });
  }

  override switchOff(): void {
    this.offSince = this.clock.now();
    this.process.kill();
  }

  override replaceDiskAtStart(records: () => readonly OperationRecord[]): void {
    this.replacement = records;
  }

  private replaceDisk(): void {
    const records = this.replacement?.();
    if (records === undefined) return;
    this.replacement = undefined;
    for (const { origin } of this.disk.durable.values()) this.forget(String(origin.message._msgid));
    this.disk.break(undefined);
    this.disk = this.disk.replacedBy(records);
    this.disk.crash();
  }

  private forget(id: string): void {
    if (!this.forgotten.has(id)) this.forgotten.set(id, this.clock.now());
  }

  override crash(): void {
    if (!this.process.alive) return;
    this.faults.add('crash at a moment');
    this.process.kill();
  }

  override async redeploy(nodesDeleted: boolean): Promise<void> {
    const { engine, process } = this;
    if (!process.alive || engine === undefined) return;
    this.connection.maybeGoElsewhere();
    this.note?.(`redeploy${nodesDeleted ? ', node-b deleted' : ''}`);
    this.faults.add('redeploy');
    if (nodesDeleted) this.faults.add('node deleted');
    this.engine = undefined;
    this.uptime.end();
    this.nodes.detach();
    await engine.stop();
    if (!process.alive) return;
    this.nodes.deploy(nodesDeleted);
    await this.boot();
  }

  private async boot(): Promise<void> {
    const { process } = this;
    const engine = new Engine({
      environment: ENVIRONMENT,
      ...this.connection.now,
      send: process.send((request) => this.traffic.send(request)),
      clock: process.clock,
      newId: this.newId,
      journal: process.journal(this.disk),
      rateLimiters: process.rateLimiters,
      countReads: this.scenario.countReads,
      log: (level, text) => {
        this.note?.(`log ${level}: ${text}`);
        this.onLog?.(text);
      },
      ...(this.scenario.callbacks ? { callback: CALLBACK } : {}),
    });
    const isReady = this.fates.chance(this.scenario.focus?.isBlind ? 0.2 : 0.7);
    if (isReady) this.nodes.attach(engine, process);
    await this.begin(engine, process, isReady);
  }

  /** As a Node-RED does it, again and again with the same engine while the journal cannot be written. */
  private async begin(engine: Engine, process: Process, isReady: boolean): Promise<void> {
    try {
      await engine.start();
    } catch (error) {
      this.note?.(`the engine does not start: ${error}`);
      // It can say so.
      if (process.alive && !process.isFrozen) this.uptime.begin();
      if (process.alive && !isReady) this.nodes.attach(engine, process);
      if (process.alive) engine.releaseUnclaimed();
      this.clock.after(START_AGAIN, () => process.alive && void this.begin(engine, process, true));
      return;
    }
    if (!isReady) await this.late();
    if (!process.alive) return;
    if (!isReady) this.nodes.attach(engine, process);
    // It can die of what it hands over to a node that has come.
    if (!process.alive) return;
    this.engine = engine;
    this.standstill.begun();
    process.whenThawed(() => {
      if (engine === this.engine) this.uptime.begin();
    });
    for (const submit of this.awaiting.splice(0)) submit(engine);
    engine.releaseUnclaimed();
  }

  /** The nodes of a large flow are made some time after the engine has begun to ask. */
  private late(): Promise<void> {
    if (!this.scenario.focus?.isBlind) return Promise.resolve();
    const ms = this.lateness.scale(1, 20_000);
    return new Promise((resolve) => {
      this.clock.after(ms, resolve);
    });
  }

  private newProcess(number: number): Process {
    const process = new Process(number, this.clock, this.scenario.deaths[number], (byItself) => this.died(byItself));
    if (number > 0) process.startClock(this.skewOf(number));
    return process;
  }

  private died(byItself: boolean): void {
    if (byItself) this.faults.add('crash at a step');
    if (this.process.hasSpun) {
      this.violations.push('the process goes round in circles at one moment');
      this.offSince = this.clock.now();
    }
    const { number } = this.process;
    const { downtimes } = this;
    const downtime = downtimes[number % downtimes.length] ?? START_AGAIN;
    this.crashes++;
    this.note?.(`the process dies; the next starts in ${downtime} ms`);
    this.engine = undefined;
    this.uptime.end();
    this.connection.maybeGoElsewhere();
    this.awaiting = [];
    this.disk.crash();
    this.clock.after(downtime, () => {
      if (this.isOffForGood) return;
      this.replaceDisk();
      this.process = this.newProcess(number + 1);
      this.note?.('the process starts');
      void this.boot();
    });
  }
}
