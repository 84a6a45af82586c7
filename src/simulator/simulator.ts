import type { Clock, HttpRequest, NewId, Send } from '../core/base/seams.js';
import { Bank } from './gateway/bank.js';
import { Batches } from './gateway/batches.js';
import { Chains } from './gateway/chains.js';
import { Gateway } from './gateway/gateway.js';
import { Holds } from './gateway/holds.js';
import { Reversals } from './gateway/reversals.js';
import { Tokens } from './gateway/tokens.js';
import { Changes } from './infra/changes.js';
import { Timers } from './infra/clock.js';
import { Faults } from './infra/faults.js';
import { type MerchantConfig, Merchants } from './model/merchant.js';
import { DEFAULT_TIMINGS, type Timings } from './model/timings.js';
import { DEFAULT_VARIANTS, overheard, type Variants } from './model/variants.js';
import { Results } from './results/result-store.js';
import { Signatures } from './results/signatures.js';
import { BackOffice } from './service/back-office/back-office.js';
import { BatchOperations } from './service/back-office/batch.js';
import { Moto } from './service/back-office/moto.js';
import { OddAnswers } from './service/back-office/odd-answers.js';
import { Tips } from './service/back-office/tip.js';
import { TokenOperations } from './service/back-office/token.js';
import { Commands } from './service/device-commands.js';
import { Network, type Outcome } from './service/network.js';
import { OtherSystem } from './service/other-system.js';
import { Papers } from './service/receipt-pages.js';
import { type Request, Service } from './service/service.js';
import { StatusService } from './service/status-service.js';
import { automaticCardholder, type Cardholder, type Habits, Seat } from './terminal/cardholder.js';
import { Terminal } from './terminal/terminal.js';
import { Log } from './wire/log.js';
import type { CallbackEntry, RequestEntry } from './wire/log-entries.js';
import { RateLimit } from './wire/rate-limit.js';

export interface SimulatorOptions {
  clock: Clock;
  newId: NewId;
  /** Draws from [0, 1). */
  random: () => number;
  /** Sends the terminals' callbacks. */
  deliver: Send;
  /** Default: one DEMO merchant of group B with the key `simulator`, three terminals, and everything switched on. */
  merchants?: MerchantConfig[];
  /** Per key. Default 2; 0 switches the limit off. */
  requestsPerSecond?: number;
  /** The cardholder at each terminal: an automatic one with these habits (default), a function, or none. */
  cardholder?: Habits | Cardholder | 'none';
  timings?: Partial<Timings>;
  variants?: Partial<Variants>;
  /** Hears of each variant when it decides something. */
  onVariant?: (name: keyof Variants) => void;
}

/** The addresses of a simulator in the same process. */
export const BASE_URL = 'http://simulator.invalid/api';

export const STATUS_URL = 'http://simulator.invalid/status';

/** The whole service: merchants, terminals with their cardholders, gateway, ledger, and the network in between. */
export class Simulator {
  /** The client's end of the network: routes by address and applies the fault plan. */
  readonly send: Send;
  readonly baseUrl = BASE_URL;
  readonly statusUrl = STATUS_URL;
  /** Fires at every change that an observer could see. */
  readonly changes = new Changes();
  /** Fires when the simulator was stopped. */
  readonly ended = new Changes();
  readonly bank: Bank;
  readonly faults: Faults;
  /** May be changed at any time. */
  readonly variants: Variants;
  readonly merchants: Merchants;
  readonly clock: Timers;
  /** A second point of sale of the first merchant, for tests. */
  readonly other: OtherSystem;
  readonly requests = new Log<RequestEntry>(this.changes);
  readonly callbacks = new Log<CallbackEntry>(this.changes);
  /** Epoch ms. */
  readonly startedAt: number;
  /** Base address of receipts and signatures; `serveSimulator` sets its own. */
  publicUrl = BASE_URL;

  private readonly service: Service;
  private readonly network: Network;
  private readonly bySerial = new Map<string, Terminal>();
  private readonly seats = new Map<Terminal, Seat>();
  private readonly automatic: Cardholder;
  private readonly awaited = new Map<string, () => void>();

  constructor(options: SimulatorOptions) {
    const { newId, random, deliver, requestsPerSecond = 2, cardholder = {} } = options;
    this.clock = new Timers(options.clock);
    const now = (): number => this.clock.now();
    const timings = { ...DEFAULT_TIMINGS, ...options.timings };
    const variants = { ...DEFAULT_VARIANTS, ...options.variants };
    this.variants = options.onVariant === undefined ? variants : overheard(variants, options.onVariant);
    this.startedAt = now();
    this.faults = new Faults(now, this.changes);
    this.merchants = new Merchants(options.merchants);
    const lapse = (): void => gateway.lapse();
    this.bank = new Bank(this.changes, lapse);
    const chains = new Chains(now, this.faults, timings.statusLagMs, lapse);
    const batches = new Batches(now);
    const gateway: Gateway = new Gateway(now, random, newId, this.bank, chains, batches, this.variants);
    const results = new Results(now, this.variants);
    const reversals = new Reversals(gateway, this.variants);
    const holds = new Holds(gateway, now);
    const tokens = new Tokens(newId);
    const signatures = new Signatures();
    const world = {
      clock: this.clock,
      newId,
      faults: this.faults,
      timings,
      variants: this.variants,
      gateway,
      reversals,
      holds,
      tokens,
      results,
      signatures,
      changes: this.changes,
      callbacks: this.callbacks,
      deliver,
      delivered: (resultId: string) => this.noteDelivery(resultId),
      publicUrl: () => this.publicUrl,
    };
    for (const merchant of this.merchants.all) {
      for (const config of merchant.terminals) {
        const terminal = new Terminal(world, merchant, config);
        this.bySerial.set(config.serial_number, terminal);
        this.seats.set(terminal, new Seat(terminal, this.clock));
      }
    }
    const tips = new Tips(gateway, now);
    this.automatic =
      typeof cardholder === 'function' ? cardholder : automaticCardholder(cardholder === 'none' ? {} : cardholder);
    if (cardholder !== 'none') for (const seat of this.seats.values()) seat.take(this.automatic);
    this.service = new Service({
      merchants: this.merchants,
      terminals: this.bySerial,
      results,
      chains,
      status: new StatusService(chains, this.faults, this.variants, now),
      faults: this.faults,
      variants: this.variants,
      rateLimit: new RateLimit(now, requestsPerSecond),
      commands: new Commands(this.bySerial, this.variants),
      papers: new Papers(chains, signatures),
      backOffice: new BackOffice({
        gateway,
        reversals,
        holds,
        tips,
        moto: new Moto({
          now,
          clock: this.clock,
          faults: this.faults,
          newId,
          gateway,
          reversals,
          tokens,
          variants: this.variants,
        }),
        tokenDesk: new TokenOperations(now, newId, gateway, tokens),
        oddAnswers: new OddAnswers(this.faults, newId),
        batchDesk: new BatchOperations(newId, this.bank, batches, this.variants),
        variants: this.variants,
      }),
    });
    this.other = new OtherSystem({
      newId,
      merchant: this.merchants.first,
      bank: this.bank,
      gateway,
      holds,
      reversals,
      tips,
      terminals: this.bySerial,
    });
    this.network = new Network({
      clock: this.clock,
      faults: this.faults,
      log: this.requests,
      serve: (request) => this.service.answer(request),
      whenDelivered: (resultId, then) => this.awaited.set(resultId, then),
    });
    this.send = (request) => this.network.send(request, addressed(request));
  }

  /** The server's end of the network: handles one request, with the faults on its way. */
  handle(request: Request): Promise<Outcome> {
    return this.network.exchange(request);
  }

  terminal(serialNumber: string): Terminal {
    const terminal = this.bySerial.get(serialNumber);
    if (terminal === undefined) throw new Error(`no terminal ${serialNumber}`);
    return terminal;
  }

  terminals(): Terminal[] {
    return [...this.bySerial.values()];
  }

  /** Puts the automatic cardholder or a person in front of a terminal. */
  seat(terminal: Terminal, who: 'automatic' | 'person'): void {
    this.seats.get(terminal)?.take(who === 'automatic' ? this.automatic : undefined);
    this.changes.tell();
  }

  isAutomatic(terminal: Terminal): boolean {
    return this.seats.get(terminal)?.isTaken === true;
  }

  /** Cancels every timer, so nothing happens by itself any more. */
  stop(): void {
    this.clock.stop();
    this.ended.tell();
  }

  private noteDelivery(resultId: string): void {
    const then = this.awaited.get(resultId);
    this.awaited.delete(resultId);
    then?.();
  }
}

/** The request relative to one of the two base addresses; undefined for any other address. */
function addressed({ url, method, headers, body = '' }: HttpRequest): Request | undefined {
  const target = url.startsWith(`${BASE_URL}/`) ? 'service' : 'status';
  const base = target === 'service' ? BASE_URL : STATUS_URL;
  if (!url.startsWith(`${base}/`)) return undefined;
  const path = url.slice(base.length).replace(/[?#].*$/, '');
  return { target, method, path, headers: lowerCase(headers), body };
}

export function lowerCase(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  const lower: Record<string, string | undefined> = {};
  for (const name in headers) {
    const value = headers[name];
    lower[name.toLowerCase()] = Array.isArray(value) ? value[0] : value;
  }
  return lower;
}
