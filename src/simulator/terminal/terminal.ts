import type { Changes } from '../infra/changes.js';
import type { CardInput } from '../model/cards.js';
import type { Merchant, TerminalConfig } from '../model/merchant.js';
import type { Order } from '../model/order.js';
import { TERMINAL_WORST_CASE } from '../model/timings.js';
import type { FinStatus, Operation } from '../model/vocabulary.js';
import type { ResultFacts } from '../results/result-facts.js';
import type { TerminalErrorCode } from '../wire/errors.js';
import type { CallbackWorld } from './callbacks.js';
import { Memory } from './memory.js';
import { pingFacts } from './operations/other-operations.js';
import { cardIsRemoved, perform } from './operations/perform.js';
import { Outbox } from './outbox.js';
import { type Paper, Printer } from './printer.js';
import { RecentPayments } from './recent-payments.js';
import { reportResult } from './reporting.js';
import { type Assignment, type Job, terminalFacts, type World } from './session/job.js';
import { type Action, IDLE, OFF, type Screen } from './session/screen.js';
import { Cancelled, Session } from './session/session.js';

export type TerminalWorld = World & CallbackWorld & { changes: Changes; publicUrl(): string };

/** How the last operation ended, as the terminal shows it for a while. */
export interface Ending {
  /** Epoch ms. */
  readonly at: number;
  readonly operation: Operation;
  readonly finStatus: FinStatus;
  readonly statusMessage: string;
  /** Minor units. */
  readonly total: number;
  readonly currency: string;
}

export interface Started {
  resultId: string;
  /** The outcome in the 202 itself, for a ping with that variant. */
  reply?: string;
}

/** One payment terminal: runs one operation at a time, shows it to the cardholder, and reports its outcome. */
export class Terminal {
  /** Settings made by device commands, by command. */
  readonly settings = new Map<string, Record<string, unknown>>();
  private powered = true;
  private online = true;
  private session: Session | undefined;
  /** A keyed entry was abandoned: busy until a stop. */
  private abandoned = false;
  private lastResultAt = 0;
  private shown: Screen = IDLE;
  private ended: Ending | undefined;
  private readonly printer = new Printer();
  private readonly listeners = new Set<(screen: Screen) => void>();
  private readonly outbox: Outbox;
  private readonly memory: Memory;
  private readonly recent: RecentPayments;

  constructor(
    private readonly world: TerminalWorld,
    private readonly merchant: Merchant,
    private readonly config: TerminalConfig,
  ) {
    this.outbox = new Outbox(world, config.serial_number);
    const report = this.outbox.post.bind(this.outbox);
    this.memory = new Memory(world, () => this.connected, report);
    this.recent = new RecentPayments(() => world.clock.now());
  }

  get serial_number(): string {
    return this.config.serial_number;
  }

  get terminal_type(): string {
    return this.config.terminal_type;
  }

  get screen(): Screen {
    return this.shown;
  }

  get connected(): boolean {
    return this.powered && this.online;
  }

  /** The network is connected, with or without power. */
  get hasNetwork(): boolean {
    return this.online;
  }

  get lastEnding(): Ending | undefined {
    return this.ended;
  }

  get papers(): Paper[] {
    return this.printer.papers();
  }

  get busy(): boolean {
    return this.session !== undefined || this.abandoned;
  }

  /** `listener` is called at every change of the screen. Returns the function that unsubscribes. */
  subscribe(listener: (screen: Screen) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // Actions of a cardholder. False if the action does not fit the screen.

  act(action: Action): boolean {
    return this.session?.act(action) ?? false;
  }

  presentCard(card: CardInput = {}): boolean {
    return this.act({ do: 'present-card', card });
  }

  keyCard(card: CardInput = {}): boolean {
    return this.act({ do: 'key-card', card });
  }

  enterPin(correct: boolean): boolean {
    return this.act({ do: 'enter-pin', correct });
  }

  skipPin(): boolean {
    return this.act({ do: 'skip-pin' });
  }

  /** `amount` in minor units. Neither field: skips the tip. */
  chooseTip(tip: { percentage?: number; amount?: number } = {}): boolean {
    return this.act({ do: 'choose-tip', ...tip });
  }

  answerPartial(accept: boolean): boolean {
    return this.shown.stage === 'partial' && this.act({ do: 'answer', accept });
  }

  answerDuplicate(accept: boolean): boolean {
    return this.shown.stage === 'duplicate' && this.act({ do: 'answer', accept });
  }

  sign(): boolean {
    return this.act({ do: 'sign' });
  }

  removeCard(): boolean {
    return this.act({ do: 'remove-card' });
  }

  cancel(): boolean {
    return this.act({ do: 'cancel' });
  }

  // Events from outside: power, network and application.

  /** Switches off at once, and on again after `offMs`; absent or 0: at `powerOn`. */
  powerCut(offMs = 0): void {
    if (!this.powered) return;
    this.powered = false;
    this.abandoned = false;
    this.session?.end();
    this.session = undefined;
    this.memory.leaveOpen();
    this.outbox.disconnect();
    this.show(OFF);
    if (offMs > 0) this.world.clock.after(offMs, () => this.powerOn());
  }

  powerOn(): void {
    if (this.powered) return;
    this.powered = true;
    this.show(IDLE);
    if (this.online) this.comeBack();
  }

  goOffline(): void {
    this.online = false;
    this.outbox.disconnect();
    this.world.changes.tell();
  }

  goOnline(): void {
    if (this.online) return;
    this.online = true;
    if (this.powered) this.comeBack();
    this.world.changes.tell();
  }

  // Calls by the service.

  /** Takes an order, or says why not. `sentAt`: epoch ms at which it left the client. */
  start(order: Order, sentAt = this.world.clock.now()): Started | TerminalErrorCode {
    if (!this.connected) return 1002;
    if (order.operation === 'stopCurrentTransaction') return this.stop(order);
    const { variants } = this.world;
    const isPing = order.operation === 'pingDevice';
    if (this.busy && !(isPing && variants.busyPing === 'answered')) return 1001;
    const { operation, transactionReference: reference } = order;
    const fault = this.world.faults.at('start', { serial: this.serial_number, operation, reference });
    if (fault !== undefined) return fault.kind === 'terminal-busy' ? 1001 : 1002;

    const { clock } = this.world;
    const resultId = this.newResultId();
    const session = new Session(
      clock,
      (screen) => this.show(screen),
      sentAt + TERMINAL_WORST_CASE - this.world.timings.toGatewayMs,
    );
    const assignment = this.assign(order, resultId);
    if (isPing && (this.busy || variants.ping === 'reply')) {
      this.outbox.post(resultId, pingFacts(assignment), order);
      return variants.ping === 'reply' ? { resultId, reply: 'PING_PONG' } : { resultId };
    }
    this.session = session;
    void this.run(this.jobOf(assignment, session));
    return { resultId };
  }

  private async run(job: Job): Promise<void> {
    const facts = await perform(job, this.recent).catch((error: unknown) => {
      if (!(error instanceof Cancelled)) throw error;
      return terminalFacts(job, { finStatus: 'CANCELLED', statusMessage: error.message });
    });
    this.report(job, facts);
    if (facts.card?.entry === 'ICC' && !job.session.cardPulled) await cardIsRemoved(job);
    this.session = undefined;
    this.show(this.abandoned ? { stage: 'abandoned', message: 'Enter the card details' } : IDLE);
  }

  private report(job: Job, facts: ResultFacts): void {
    if (facts.finStatus === 'UNDEFINED') this.memory.leaveOpen();
    else this.memory.strikeOut();
    reportResult(job, facts, (told) => this.outbox.post(job.resultId, told, job.order));
    this.tellCardholder(job.order, facts);
    const fault = this.world.faults.at('result', { serial: this.serial_number, operation: job.order.operation });
    if (fault !== undefined) this.world.clock.after(fault.ms ?? 1000, () => this.restartApplication());
  }

  private tellCardholder(order: Order, facts: ResultFacts): void {
    const { finStatus, statusMessage, amounts, currency } = facts;
    const at = this.world.clock.now();
    this.ended = { at, operation: order.operation, finStatus, statusMessage, total: amounts.total, currency };
    this.printer.print(facts, order);
  }

  /** Restarts the application and its callback schedules. A running payment is lost to the terminal. */
  restartApplication(): void {
    this.powerCut();
    this.powerOn();
  }

  private stop(order: Order): Started | TerminalErrorCode {
    const resultId = this.newResultId();
    if (this.abandoned) {
      this.abandoned = false;
      this.show(IDLE);
    } else if (this.session === undefined) {
      return this.world.variants.idleStop;
    } else if (!this.session.stop(this.world.variants.acceptedStop === 'ends')) {
      return 1003;
    }
    const assignment = this.assign(order, resultId);
    const type = this.world.variants.controlType;
    const facts = terminalFacts(assignment, { type, finStatus: 'PROCESSED', statusMessage: 'Stopped' });
    this.outbox.post(resultId, facts, order);
    return { resultId };
  }

  /** After power or network came back: delivers unsent results, and asks for the outcome of open payments. */
  private comeBack(): void {
    this.outbox.reconnect();
    this.memory.askAll();
  }

  private assign(order: Order, resultId: string): Assignment {
    const { world, merchant, config } = this;
    world.results.open(resultId, merchant);
    return { world, merchant, terminal: config, order, resultId };
  }

  private jobOf(assignment: Assignment, session: Session): Job {
    const { order, resultId } = assignment;
    return {
      ...assignment,
      session,
      isConnected: () => this.connected,
      cutPower: (ms) => this.powerCut(ms),
      abandon: () => {
        this.abandoned = true;
      },
      keep: (inFlight) => {
        if (inFlight === undefined) this.memory.strikeOut();
        else this.memory.note(inFlight, order);
      },
      showInterim: (facts) => this.outbox.showInterim(resultId, facts),
    };
  }

  private show(screen: Screen): void {
    this.shown = screen;
    for (const listener of this.listeners) listener(screen);
    this.world.changes.tell();
  }

  /** `<serial_number>-<epoch_ms>`, unique. */
  private newResultId(): string {
    this.lastResultAt = Math.max(this.world.clock.now(), this.lastResultAt + 1);
    return `${this.serial_number}-${this.lastResultAt}`;
  }
}
