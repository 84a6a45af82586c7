import { existsSync } from 'node:fs';
import type { Node, NodeAPI } from 'node-red';
import type { TerminalAddress } from '../../core/api/schema/fields.js';
import { RateLimiterRegistry } from '../../core/api/transport/rate-limiter.js';
import type { CallbackSettings } from '../../core/base/callback.js';
import { ConfigurationError } from '../../core/base/errors.js';
import type { HttpAnswer, HttpRequest, Send, Timer } from '../../core/base/seams.js';
import type { Subscriber } from '../../core/delivery/dispatcher.js';
import type { Listener } from '../../core/delivery/listener.js';
import type { Engine } from '../../core/engine/engine.js';
import type { Journal } from '../../core/journal/journal.js';
import { journalFolder } from '../../core/journal/lmdb/folder.js';
import type { OperationRecord } from '../../core/journal/record.js';
import { systemClock } from '../../core/platform/system-clock.js';
import type { HttpSend } from '../../core/platform/undici-send.js';
import { abandon, leaveBehind, takeBack, warningFor } from './abandoned.js';
import { CALLBACK_STATUSES } from './callback-route.js';
import type { EnvironmentSettings } from './environment-settings.js';
import { onFlowsStarted } from './flows-started.js';
import type { JournalSettings } from './journal-settings.js';
import { keepReceipts } from './recent-receipts.js';
import { endSimulator, receiveFrom, simulatorFor } from './simulators.js';

/** One queue for each key, whoever uses it in this process. */
export const rateLimiters = new RateLimiterRegistry(systemClock);

/** Where the simulator's terminals post to when they run in this process. */
const IN_PROCESS = 'https://callbacks.invalid';

const DAY = 24 * 60 * 60 * 1000;

/** Before a journal that could not be opened is tried again. */
const START_AGAIN = 30_000;

interface Attached {
  listener: Listener;
  detach?: () => void;
}

/**
 * What an environment node gives the others: one engine, started when the first payment needs it, or at once when the
 * journal holds something from before.
 */
export class EnvironmentRuntime {
  private readonly listeners = new Map<string, Attached>();
  private readonly watchers = new Map<Subscriber, (() => void) | undefined>();
  private readonly folder: string;
  private starting: Promise<Engine> | undefined;
  private running: Engine | undefined;
  private journal: Journal | undefined;
  private http: HttpSend | undefined;
  private readonly forgetFlows: () => void;
  private flowsStarted = false;
  private startingAgain: Timer | undefined;
  private pruning: Timer | undefined;
  private closed = false;

  constructor(
    RED: NodeAPI,
    private readonly node: Node,
    readonly settings: EnvironmentSettings,
    private readonly journalSettings: JournalSettings,
    private readonly onChange: (record: OperationRecord) => void,
  ) {
    this.folder = journalFolder({
      setting: journalSettings.folder,
      env: process.env,
      flowfuse: 'flowforge' in RED.settings,
      cwd: process.cwd(),
      userDir: RED.settings.userDir ?? process.cwd(),
    });
    this.forgetFlows = onFlowsStarted(RED, () => this.noteFlowsStarted());
    takeBack(this.id);
  }

  /** Of its node. */
  get id(): string {
    return this.node.id;
  }

  /** The engine where there is one already, or one is starting: who only looks starts none. */
  async engineIfAny(): Promise<Engine | undefined> {
    return this.starting?.catch(() => undefined);
  }

  /** The environment's engine. @throws JournalError, ConfigurationError: nothing can be paid here for now */
  engine(): Promise<Engine> {
    // Nobody would end an engine that starts now: what it took would never be told.
    if (this.closed) return Promise.reject(new ConfigurationError('the environment has been closed by a deploy'));
    this.starting ??= this.start().catch((error) => {
      this.starting = undefined;
      throw error;
    });
    return this.starting;
  }

  /** Tells a node what becomes of its messages. Returns how to detach it. */
  attach(node: string, listener: Listener): () => void {
    const attached: Attached = { listener: keepReceipts(listener) };
    this.listeners.set(node, attached);
    if (this.running !== undefined) attached.detach = this.running.attach(node, attached.listener);
    return () => {
      attached.detach?.();
      if (this.listeners.get(node) === attached) this.listeners.delete(node);
    };
  }

  /** Hears of every result. Returns how to stop that. */
  subscribe(watcher: Subscriber): () => void {
    this.watchers.set(watcher, this.running?.subscribe(watcher));
    return () => {
      this.watchers.get(watcher)?.();
      this.watchers.delete(watcher);
    };
  }

  /** The terminal that is meant where none is named: the simulator's first one. */
  async defaultTerminal(): Promise<TerminalAddress | undefined> {
    if (this.settings.kind !== 'simulator') return undefined;
    const [first] = (await simulatorFor(this.node.id, this.settings.group)).terminals();
    return first && { serial_number: first.serial_number, terminal_type: first.terminal_type };
  }

  /** @param removed the environment is gone for good */
  async close(removed: boolean): Promise<void> {
    this.closed = true;
    this.forgetFlows();
    receiveFrom(this.node.id, undefined);
    await this.starting?.catch(() => undefined);
    this.startingAgain?.cancel();
    this.pruning?.cancel();
    await this.running?.stop();
    await this.noteWhatIsOpen(removed).catch((error) => this.node.error(error));
    await this.journal?.close();
    await this.http?.close();
    if (removed) endSimulator(this.node.id);
  }

  private async noteWhatIsOpen(removed: boolean): Promise<void> {
    const open = (await this.running?.open()) ?? [];
    const left = { folder: this.folder, open };
    if (!removed) return leaveBehind(this.node.id, left);
    const warning = abandon(this.node.id, left);
    if (warning !== undefined) this.node.warn(warning);
  }

  private noteFlowsStarted(): void {
    this.flowsStarted = true;
    this.running?.releaseUnclaimed();
    const warning = warningFor(this.node.id, this.folder);
    if (warning !== undefined) this.node.warn(warning);
    if (this.running === undefined && existsSync(this.folder)) this.takeUp();
  }

  /** What an earlier engine left has to be taken up, even where the journal cannot be opened at first. */
  private takeUp(reported = ''): void {
    this.engine().catch((error) => {
      if (this.closed) return;
      if (String(error) !== reported) this.node.error(error);
      this.startingAgain = systemClock.after(START_AGAIN, () => this.takeUp(String(error)));
    });
  }

  private async start(): Promise<Engine> {
    const core = await import('../../core/index.js');
    const { apiKey, callbackSecret, requestsPerSecond, countReads } = this.settings;
    const service = await this.service();
    this.journal ??= await core.openLmdbJournal(this.folder);
    await this.prune(this.journal);
    const secret = callbackSecret || core.callbackSecret(apiKey);
    const engine = new core.Engine({
      environment: this.node.id,
      ...service,
      apiKey,
      requestsPerSecond,
      countReads,
      clock: core.systemClock,
      newId: core.newId,
      rateLimiters,
      journal: this.journal,
      ...this.callbackTo(secret),
      log: (level, text) => this.log(level, text),
    });
    // From here on who comes is attached at once, so that nobody is left out while the engine starts.
    this.running = engine;
    engine.observe(this.onChange);
    for (const [node, attached] of this.listeners) attached.detach = engine.attach(node, attached.listener);
    for (const watcher of this.watchers.keys()) this.watchers.set(watcher, engine.subscribe(watcher));
    try {
      await engine.start();
    } catch (error) {
      this.running = undefined;
      await engine.stop();
      throw error;
    }
    if (this.flowsStarted) engine.releaseUnclaimed();
    return engine;
  }

  /** Forgets what is older than the journal is to keep, now and every day. @throws JournalError */
  private async prune(journal: Journal): Promise<void> {
    const before = systemClock.now() - this.journalSettings.keepDays * DAY;
    while ((await journal.prune(before)) > 0 && !this.closed);
    this.pruning?.cancel();
    if (this.closed) return;
    this.pruning = systemClock.after(DAY, () => {
      this.prune(journal).catch((error) => this.node.error(error));
    });
  }

  private async service(): Promise<{ baseUrl: string; statusUrl: string; send: Send }> {
    const { kind, baseUrl, statusUrl } = this.settings;
    const { createHttpSend } = await import('../../core/platform/undici-send.js');
    this.http ??= createHttpSend();
    if (kind !== 'simulator') return { baseUrl, statusUrl, send: this.http };
    const simulator = await simulatorFor(this.node.id, this.settings.group);
    receiveFrom(this.node.id, (request) => this.receive(request));
    return { baseUrl: simulator.baseUrl, statusUrl: simulator.statusUrl, send: simulator.send };
  }

  private callbackTo(secret: string): { callback?: CallbackSettings } {
    const { kind, callbackUrl } = this.settings;
    if (callbackUrl !== '') return { callback: { address: callbackUrl, secret } };
    return kind === 'simulator' ? { callback: { address: IN_PROCESS, secret } } : {};
  }

  /** A callback of the simulator in this process: to the engine at once, or over the network where an address is set. */
  private async receive(request: HttpRequest): Promise<HttpAnswer> {
    if (!request.url.startsWith(`${IN_PROCESS}/`))
      return (await this.service().then(() => this.http))?.(request) ?? GONE;
    const engine = await this.engine();
    const attemptId = request.url.slice(IN_PROCESS.length + 1);
    const answer = await engine.callback(attemptId, request.headers['auth-token'], request.body ?? '');
    return { status: CALLBACK_STATUSES[answer], body: '' };
  }

  private log(level: 'info' | 'warn' | 'error', text: string): void {
    if (level === 'info') this.node.log(text);
    else if (level === 'warn') this.node.warn(text);
    else this.node.error(text);
  }
}

const GONE: HttpAnswer = { status: 503, body: '' };
