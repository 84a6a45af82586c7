import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import type { OperationRecord } from '../../../src/core/journal/record.js';
import type { LedgerEntry } from '../../../src/simulator/index.js';
import { freePort, type NodeRedOptions, ROOT, type RunningNodeRed, startNodeRed } from '../../harness/node-red.js';
import { Draw } from '../draw.js';
import { TERMINALS } from '../scenario.js';
import { killFlow } from './flow.js';
import type { Heard } from './oracle.js';

const AMOUNTS = ['10.00', '25.00', '37.57', '37.79', '37.68'] as const;
/** Recovery takes minutes, so for Node-RED and the service time passes faster. */
const FAST_CLOCK = join(__dirname, './fast-clock.cjs');
const USUAL_SPEED = 20;
/** Of one life of the process: see `fast-clock.cjs`. */
export type WrongClock = { CLOCK_AHEAD?: string; CLOCK_RIGHT_AFTER?: string };

const ENVIRONMENT = 'environment';
/** What recovery takes at most, and what Node-RED needs beside, ms by the fast clock. */
const OPEN_ENOUGH = 20 * 60_000;
/** The more payments are open, the less often each is asked for: so much longer for each of them. */
const LONGER_FOR_EACH = 10_000;

/**
 * A till that never gives up: a Node-RED that is killed and started again, the service it pays at, the orders that are
 * sent to it, and what a witness saw of them.
 */
export class Till {
  readonly orders: string[] = [];
  readonly journal: string;
  private readonly witness: string;
  /** What the witness has said, and how many bytes that was. */
  private readonly lines: Heard[] = [];
  private read = 0;
  readonly draw: Draw;
  private nodeRed: RunningNodeRed | undefined;

  private get journalFile(): string {
    return join(this.journal, 'journal.mdb');
  }

  /** How much more slowly time passes than usual. */
  get slowness(): number {
    return USUAL_SPEED / Number(this.clock.CLOCK_SPEED);
  }

  private constructor(
    private readonly folder: string,
    private readonly simulator: ChildProcess,
    private readonly flows: object[],
    private readonly port: number,
    private readonly clock: { CLOCK_SPEED: string; CLOCK_SINCE: string },
    seed: number,
  ) {
    this.witness = join(folder, 'witness.jsonl');
    this.journal = join(folder, 'payment-journal');
    this.draw = new Draw(seed, 3);
  }

  /** @param speed how much faster time passes: on a machine with other work less, as a request has a second at 20 */
  static async open(seed: number, speed = USUAL_SPEED): Promise<Till> {
    const clock = { CLOCK_SPEED: String(speed), CLOCK_SINCE: String(Date.now()) };
    const folder = await mkdtemp(join(tmpdir(), 'till-'));
    const simulator = fork(join(__dirname, './simulator.ts'), [String(seed)], {
      execArgv: ['--require', FAST_CLOCK, '--import', 'tsx'],
      env: { ...process.env, ...clock },
    });
    const [{ baseUrl, statusUrl }] = await once(simulator, 'message');
    const port = await freePort();
    const flows = killFlow({ baseUrl, statusUrl, callbackUrl: `http://127.0.0.1:${port}/payments` });
    return new Till(folder, simulator, flows, port, clock, seed);
  }

  /** Starts Node-RED on the same folder as before, with a clock that is right or as `wrongClock` says. */
  async start(
    more: Pick<NodeRedOptions, 'spawned' | 'maxFileBlocks'> = {},
    wrongClock: WrongClock = {},
  ): Promise<void> {
    this.nodeRed = await startNodeRed({
      userDir: this.folder,
      flows: this.flows,
      credentials: { [ENVIRONMENT]: { apiKey: 'simulator' } },
      settings: {
        uiPort: this.port,
        nodesDir: [ROOT, join(__dirname, 'nodes')],
        truthWitness: this.witness,
      },
      env: { ...this.clock, ...wrongClock, NODE_OPTIONS: `--require ${FAST_CLOCK}` },
      ...more,
    });
  }

  /**
   * Sends orders, one soon after the other, until Node-RED is gone.
   * @param note comes with each, and is recorded with it
   */
  async sell(note = ''): Promise<void> {
    while (this.nodeRed !== undefined) await this.order(this.draw.scale(1, 300), note);
  }

  /** When something that takes `OPEN_ENOUGH` is over, by the right clock, where so many payments are open. */
  private giveUpAt(open = 0): number {
    return Date.now() + (OPEN_ENOUGH + open * LONGER_FOR_EACH) / Number(this.clock.CLOCK_SPEED);
  }

  /** SIGKILL, after `ms`. */
  async killAfter(ms: number): Promise<void> {
    await passed(ms);
    const { nodeRed } = this;
    this.nodeRed = undefined;
    await nodeRed?.kill();
  }

  async stop(): Promise<void> {
    const { nodeRed } = this;
    this.nodeRed = undefined;
    await nodeRed?.stop();
  }

  /** What the journal holds. Only while Node-RED is down: it belongs to one process at a time. */
  async records(): Promise<OperationRecord[]> {
    const journal = await openLmdbJournal(this.journal);
    const records = await journal.find({ environment: ENVIRONMENT }, Number.MAX_SAFE_INTEGER);
    await journal.close();
    return records;
  }

  heard(): readonly Heard[] {
    if (!existsSync(this.witness)) return [];
    const text = readFileSync(this.witness);
    const end = text.lastIndexOf('\n') + 1;
    const lines = text.subarray(this.read, end).toString().split('\n').slice(0, -1);
    this.read = end;
    for (const line of lines) this.lines.push(JSON.parse(line));
    return this.lines;
  }

  async ledger(): Promise<LedgerEntry[]> {
    this.simulator.send('ledger');
    for (;;) {
      const [{ ledger }] = await once(this.simulator, 'message');
      if (ledger !== undefined) return ledger;
    }
  }

  /** Resolves with the next request that reaches the service. */
  async requested(): Promise<void> {
    await once(this.simulator, 'message');
  }

  /** Resolves once another order has come to Catch. */
  async refused(): Promise<void> {
    const refusals = (): number => this.heard().filter(({ error }) => error !== undefined).length;
    const before = refusals();
    const giveUpAt = this.giveUpAt();
    while (refusals() === before) {
      if (Date.now() > giveUpAt) throw new Error(`nothing was refused: ${this.nodeRed?.output()}`);
      await passed(50);
    }
  }

  /** Starts once more, and again where that began something new, until nothing is open, for as long as recovery takes. */
  async settle(): Promise<void> {
    let open = await this.open();
    const giveUpAt = this.giveUpAt(open.length);
    do {
      await this.settleThese(open, giveUpAt);
      open = await this.open();
    } while (open.length > 0 && Date.now() < giveUpAt);
  }

  /** Lives until these orders have been told their end. */
  private async settleThese(orders: readonly string[], giveUpAt: number): Promise<void> {
    const before = this.heard().length;
    await this.start();
    const isTold = (): boolean => {
      const ended = new Set(
        this.heard()
          .slice(before)
          .flatMap(({ order, final }) => (final ? [order] : [])),
      );
      return orders.every((order) => ended.has(order));
    };
    while (!isTold() && Date.now() < giveUpAt) await passed(50);
    await this.stop();
  }

  /** The orders of all operations that are not closed. Only while Node-RED is down. */
  private async open(): Promise<string[]> {
    return (await this.records()).filter(({ closed }) => !closed).map(({ origin }) => String(origin.message.order));
  }

  /** A write that the crash cut off: bytes behind the last page that was committed. */
  tearJournal(): void {
    if (existsSync(this.journalFile)) appendFileSync(this.journalFile, Buffer.alloc(this.draw.int(1, 6000), 0xa5));
  }

  /** Bytes. */
  journalSize(): number {
    return existsSync(this.journalFile) ? statSync(this.journalFile).size : 0;
  }

  async close(): Promise<void> {
    await this.stop();
    this.simulator.disconnect();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async order(pause: number, note: string): Promise<void> {
    const order = `o${this.orders.length + 1}`;
    this.orders.push(order);
    const body = JSON.stringify({ order, note, amount: this.draw.pick(AMOUNTS), terminal: this.draw.pick(TERMINALS) });
    const headers = { 'content-type': 'application/json' };
    // Whoever posts to a process that dies gets no answer; what became of the order, the journal says.
    await fetch(`http://127.0.0.1:${this.port}/pay`, { method: 'POST', headers, body }).catch(() => passed(5));
    await passed(pause);
  }
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
