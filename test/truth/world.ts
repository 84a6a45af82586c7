import { callbackSecret } from '../../src/core/base/callback.js';
import { AnswerLostError, NotSentError } from '../../src/core/base/errors.js';
import type { HttpAnswer, HttpRequest, Send } from '../../src/core/base/seams.js';
import type { ResultEvent } from '../../src/core/delivery/dispatcher.js';
import type { Delivery } from '../../src/core/delivery/listener.js';
import { Engine } from '../../src/core/engine/engine.js';
import { serviceOf } from '../../src/core/engine/service-id.js';
import type { Origin } from '../../src/core/operation/order.js';
import { sleep } from '../../src/core/platform/sleep.js';
import { BASE_URL, DEFAULT_KEY, Simulator, STATUS_URL, seededIds } from '../../src/simulator/index.js';
import { VirtualClock } from '../harness/virtual-clock.js';
import { fumbler, shopper } from './cardholder.js';
import { Disk, isIn } from './disk.js';
import { Draw } from './draw.js';
import { chaos } from './fault-plan.js';
import { type Asked, Flow, operationOf, type Request, summary } from './flow.js';
import { Inspector } from './inspector.js';
import { Process } from './process.js';
import { NODES, type Outage, type Scenario } from './scenario.js';
import { Tally } from './tally.js';

const CALLBACKS = 'https://till.example/payments';
const HOME = serviceOf({ baseUrl: BASE_URL, statusUrl: STATUS_URL, apiKey: DEFAULT_KEY });
const ANOTHER_KEY = 'another-merchant';
/** Another service: it has heard of none of our payments, and takes none. */
const strangers: Send = async ({ method }) => ({ status: method === 'GET' ? 404 : 403, body: '{}' });
const SECRET = callbackSecret(DEFAULT_KEY);
const ENVIRONMENT = 'env';
const START_AGAIN = 20_000;
/** What the engine asks of a terminal by itself. */
const STOP_OR_PING = /"operation":"(stopCurrentTransaction|pingDevice)"/;
const STATUS_OF_ANSWER = { taken: 200, 'not-found': 404, unavailable: 503 } as const;

/** The flow's process, the service, the disk and the people, all under one clock. */
export class World {
  readonly clock = new VirtualClock(0);
  readonly simulator: Simulator;
  readonly disk: Disk;
  readonly flow: Flow;
  readonly inspector: Inspector;
  readonly violations: string[] = [];
  readonly faults = new Tally();
  readonly edges = new Tally();
  readonly tellings = new Tally();
  readonly asked = new Tally();
  crashes = 0;
  /** Writes a line of the timeline; absent where nobody reads it, so that nothing is spent on its text. */
  readonly note: ((line: string) => void) | undefined;
  private process: Process;
  private engine: Engine | undefined;
  private detach: (() => void)[] = [];
  private nodes: readonly string[] = NODES;
  private isElsewhere = false;
  private awaiting: ((engine: Engine) => void)[] = [];
  private readonly newId: () => string;
  private readonly fates: Draw;

  constructor(
    private readonly scenario: Scenario,
    /** Called with every line of the timeline. */
    write: ((line: string) => void) | undefined,
  ) {
    const { seed, statusLagMs, variants, faultRate, focus, diskMs, fullDisk } = scenario;
    this.note = write && ((line) => write(`${stamp(this.clock.now())} ${line}`));
    this.fates = new Draw(seed, 1);
    this.newId = seededIds(new Draw(seed, 2).random);
    this.simulator = new Simulator({
      clock: this.clock,
      newId: seededIds(new Draw(seed, 3).random),
      random: new Draw(seed, 4).random,
      deliver: (request) => this.deliver(request),
      cardholder: (scenario.fumbles ? fumbler : shopper)(new Draw(seed, 5)),
      timings: { statusLagMs },
      variants,
    });
    this.simulator.faults.decideBy(this.watched(chaos(new Draw(seed, 6), faultRate, focus)));
    const { clock, faults, edges } = this;
    this.disk = new Disk({ clock, draw: new Draw(seed, 7), slowness: diskMs, fullWhile: fullDisk, faults, edges });
    this.inspector = new Inspector(this.disk, BASE_URL, DEFAULT_KEY, () => this.clock.now());
    this.flow = new Flow(() => ({
      at: this.clock.now(),
      life: this.process.number,
      ledger: this.simulator.bank.entries().length,
    }));
    this.process = this.newProcess(0);
  }

  start(): void {
    void this.boot();
  }

  /** The flow sends a message into a node. */
  ask(id: string, root: string, node: string, request: Request, submitted: (asked: Asked) => void): void {
    if (!this.process.alive || !this.nodes.includes(node)) return;
    const asked = this.flow.ask(id, root, node, request);
    const operation = operationOf(asked);
    this.asked.add(operation);
    this.note?.(`${id} ${operation} asked`);
    const origin: Origin = { node, message: { _msgid: id } };
    const submit = (engine: Engine): void => {
      const operationId =
        request.kind === 'terminal'
          ? engine.submit({ ...request.order, origin })
          : engine.submitBackOffice(request.order, origin);
      operationId.then(
        (id) => {
          asked.operationId = id;
          submitted(asked);
        },
        (error) => {
          asked.rejected = error;
          this.note?.(`${asked.id} rejected: ${error}`);
        },
      );
    };
    if (this.engine === undefined) this.awaiting.push(submit);
    else submit(this.engine);
  }

  /** Number of the life that the process is in. */
  get life(): number {
    return this.process.number;
  }

  /** What became of a message only another service may know: something of it went there, or nothing went anywhere else. */
  isElsewhereAlone(id: string): boolean {
    const { sentElsewhere, sentHome } = this.inspector;
    return sentElsewhere.has(id) || (this.disk.of(id)?.service !== HOME && !sentHome.has(id));
  }

  cancel({ id, operationId }: Asked): void {
    if (operationId === undefined || this.engine === undefined) return;
    this.note?.(`${id} cancel asked`);
    this.faults.add('cancel');
    this.engine.cancel(operationId);
  }

  crash(): void {
    if (!this.process.alive) return;
    this.faults.add('crash at a moment');
    this.process.kill();
  }

  async redeploy(nodesDeleted: boolean): Promise<void> {
    const { engine, process } = this;
    if (!process.alive || engine === undefined) return;
    this.maybeGoElsewhere();
    this.note?.(`redeploy${nodesDeleted ? ', node-b deleted' : ''}`);
    this.faults.add('redeploy');
    if (nodesDeleted) this.faults.add('node deleted');
    this.engine = undefined;
    for (const detach of this.detach) detach();
    await engine.stop();
    if (!process.alive) return;
    this.nodes = nodesDeleted ? NODES.slice(0, 1) : NODES;
    await this.boot();
  }

  /** Somebody gives the environment the key of another service, and after a while its own one back. */
  private maybeGoElsewhere(): void {
    const { elsewhereMs } = this.scenario;
    if (elsewhereMs === undefined || this.faults.of('another service') > 0 || !this.fates.chance(0.5)) return;
    this.note?.(`another service for ${elsewhereMs} ms`);
    this.faults.add('another service');
    this.isElsewhere = true;
    this.clock.after(elsewhereMs, () => this.comeBack());
  }

  private comeBack(): void {
    this.isElsewhere = false;
    this.note?.('its own service again');
    if (!this.process.alive) return;
    if (this.engine !== undefined) void this.redeploy(false);
    else this.clock.after(START_AGAIN, () => this.comeBack());
  }

  /** Called with what the flow hears, after it was recorded. */
  heard: (asked: Asked, telling: Delivery) => void = () => undefined;

  private async boot(): Promise<void> {
    const { process } = this;
    const engine = new Engine({
      environment: ENVIRONMENT,
      baseUrl: BASE_URL,
      statusUrl: STATUS_URL,
      apiKey: this.isElsewhere ? ANOTHER_KEY : DEFAULT_KEY,
      send: process.send((request) => this.send(request)),
      clock: process.clock,
      newId: this.newId,
      journal: process.journal(this.disk),
      rateLimiters: process.rateLimiters,
      countReads: this.scenario.countReads,
      log: (level, text) => this.note?.(`log ${level}: ${text}`),
      ...(this.scenario.callbacks ? { callback: { address: CALLBACKS, secret: SECRET } } : {}),
    });
    const isReady = this.fates.chance(this.scenario.focus?.isBlind ? 0.2 : 0.7);
    if (isReady) this.connect(engine);
    try {
      await engine.start();
    } catch (error) {
      this.note?.(`the engine does not start: ${error}`);
      await engine.stop();
      this.clock.after(START_AGAIN, () => process.alive && void this.boot());
      return;
    }
    if (process.alive && !isReady) this.connect(engine);
    if (!process.alive) return;
    this.engine = engine;
    for (const submit of this.awaiting.splice(0)) submit(engine);
    engine.releaseUnclaimed();
  }

  private connect(engine: Engine): void {
    const { process } = this;
    const deliver = (telling: Delivery): void => process.tell(() => this.hear(telling, 'node'));
    this.detach = this.nodes.map((node) => engine.attach(node, { deliver, progress: () => undefined }));
    this.detach.push(engine.subscribe((notice) => process.tell(() => this.hearNotice(notice))));
  }

  private hear(telling: Delivery, by: 'node' | 'callback-in'): void {
    const asked = this.flow.hear(telling, by);
    this.note?.(`${asked?.id} told by ${by}: ${summary(telling)}`);
    this.tally(telling, by);
    if (asked === undefined) this.violations.push('something was told of a message that nobody sent');
    else this.heard(asked, telling);
  }

  private tally({ payload, exit }: Delivery, by: 'node' | 'callback-in'): void {
    this.tellings.add(payload.outcome);
    if (payload.correction) this.tellings.add('as a correction');
    if (payload.redelivered) this.tellings.add('once more after a crash');
    if (by === 'callback-in') this.tellings.add('by callback-in');
    if (exit === 'mistake') this.tellings.add('as a mistake');
  }

  private hearNotice({ delivery, claimed, late }: ResultEvent): void {
    if (late) {
      this.note?.(`late: ${summary(delivery)}`);
      this.flow.hearLate(delivery);
    } else if (!claimed) this.hear(delivery, 'callback-in');
  }

  private async send(request: HttpRequest): Promise<HttpAnswer> {
    const outage = this.outageFor(request);
    if (outage !== undefined) this.faults.add(`outage ${outage.kind}`);
    const answered = this.inspector.request(request);
    if (STOP_OR_PING.test(request.body ?? '')) this.asked.add(JSON.parse(request.body ?? '').operation);
    this.note?.(`> ${request.method} ${nameOf(request)} ${request.body ?? ''}`);
    try {
      const answer = await this.way(request, outage)(request);
      answered(answer);
      this.note?.(`< ${nameOf(request)}: ${answer.status} ${digest(answer.body)}`);
      return answer;
    } catch (error) {
      answered(error as Error);
      this.note?.(`< ${nameOf(request)}: ${error}`);
      throw error;
    }
  }

  private way({ headers }: HttpRequest, outage: Outage | undefined): Send {
    if (outage !== undefined) return cut(outage, this.clock);
    return headers.ApiKeyCloud === ANOTHER_KEY ? strangers : this.simulator.send;
  }

  private outageFor({ url }: HttpRequest): Outage | undefined {
    const target = url.startsWith(STATUS_URL) ? 'status' : 'service';
    const now = this.clock.now();
    return this.scenario.outages.find(
      (outage) => isIn([outage], now) && (outage.target === 'both' || outage.target === target),
    );
  }

  private deliver({ url, headers, body = '' }: HttpRequest): Promise<HttpAnswer> {
    const { process, engine } = this;
    const attemptId = url.slice(CALLBACKS.length + 1);
    if (!process.alive || engine === undefined) return Promise.reject(new NotSentError('nobody listens'));
    const answer = process.async(() => engine.callback(attemptId, headers['auth-token'], body));
    const answered = answer.then((taken) => {
      this.note?.(`callback ${attemptId}: ${taken} ${digest(body)}`);
      if (taken === 'taken') this.inspector.acknowledged(attemptId);
      return { status: STATUS_OF_ANSWER[taken], body: '' };
    });
    return process.outlived(answered, () => new AnswerLostError('the process died'));
  }

  private newProcess(number: number): Process {
    return new Process(number, this.clock, this.scenario.deaths[number], (byItself) => this.died(byItself));
  }

  private died(byItself: boolean): void {
    if (byItself) this.faults.add('crash at a step');
    const { number } = this.process;
    const { downtimes } = this.scenario;
    const downtime = downtimes[number % downtimes.length] ?? START_AGAIN;
    this.crashes++;
    this.note?.(`the process dies; the next starts in ${downtime} ms`);
    this.engine = undefined;
    this.maybeGoElsewhere();
    this.awaiting = [];
    this.disk.crash();
    this.clock.after(downtime, () => {
      this.process = this.newProcess(number + 1);
      this.note?.('the process starts');
      void this.boot();
    });
  }

  private watched(plan: ReturnType<typeof chaos>): ReturnType<typeof chaos> {
    return (circumstance) => {
      const fault = plan(circumstance);
      if (fault !== undefined) this.note?.(`fault ${fault.kind} ${fault.ms} ${circumstance.endpoint ?? ''}`);
      return fault;
    };
  }
}

function cut({ kind }: Outage, clock: VirtualClock): Send {
  return async ({ timeoutMs, signal }) => {
    if (kind === 'refused') throw new NotSentError('connection refused');
    await sleep(clock, timeoutMs, signal ?? new AbortController().signal);
    throw new AnswerLostError('no answer');
  };
}

function nameOf({ url }: HttpRequest): string {
  return url.replace(BASE_URL, '').replace(STATUS_URL, '/status');
}

function stamp(ms: number): string {
  return (ms / 1000).toFixed(3).padStart(11);
}

function digest(body: string): string {
  const finStatus = /"finStatus":"(\w+)"/.exec(body)?.[1];
  return finStatus ?? body.slice(0, 120);
}
