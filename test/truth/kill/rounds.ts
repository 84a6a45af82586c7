import { judgeKills } from './oracle.js';
import { Till, type WrongClock } from './till.js';

/** What came of a number of kills. */
export interface KillReport {
  seed: number;
  rounds: number;
  orders: number;
  /** Operations in the journal. */
  recorded: number;
  told: number;
  /** Told again after a crash, because nobody could know whether it had been heard. */
  toldAgain: number;
  /** Refused because the disk was full. */
  refused: number;
  charges: number;
  tornJournals: number;
  /** Lives whose clock was wrong, and lives whose disk was full. */
  wrongClocks: number;
  fullDisks: number;
  violations: string[];
}

export interface KillOptions {
  seed: number;
  rounds: number;
  /** How much faster time passes (20). */
  speed?: number;
  clocks?: Clocks;
}

/**
 * What the clocks of the lives say: right as often as not, otherwise anything; always 1970; or right in every other life and a
 * hundred years ahead in the others.
 */
export type Clocks = 'any' | '1970' | 'far-ahead';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FAR_AHEAD = 100 * 365 * DAY;

/** At the usual speed, ms; longer where time passes more slowly. */
const LONGEST_LIFE = 1800;
const LONGEST_START = 1500;
/** How far the journal may grow before its disk is full, blocks of 512 bytes. */
const ROOM = 100;
/** Needs pages beside each other, which a journal that has grown and shrunk has not: it has many single ones. */
const LONG_NOTE = 'x'.repeat(20_000);

/**
 * Kills a Node-RED that takes payments, again and again, and compares in the end what everybody knows. Now and then its
 * clock is wrong, or its disk is full; in the last round it is full in any case.
 */
export async function playKills({ seed, rounds, speed, clocks = 'any' }: KillOptions): Promise<KillReport> {
  const till = await Till.open(seed, speed);
  const known = { seed, rounds, tornJournals: 0, wrongClocks: 0, fullDisks: 0 };
  try {
    for (let round = 1; round <= rounds; round++) {
      const clock = clockOf(round, clocks, till);
      if (clock.CLOCK_AHEAD !== undefined) known.wrongClocks++;
      if (round === rounds || (round > 1 && till.draw.chance(0.1))) {
        known.fullDisks++;
        await killedOnFullDisk(till, clock);
      } else if (round > 1 && till.draw.chance(0.15)) await killedWhileStarting(till, clock);
      else await killedAtWork(till, clock, round === 1);
      if (!till.draw.chance(0.3)) continue;
      till.tearJournal();
      known.tornJournals++;
    }
    await till.settle();
    return await reportOf(till, known);
  } finally {
    await till.close();
  }
}

function clockOf(round: number, clocks: Clocks, till: Till): WrongClock {
  if (clocks === '1970') return { CLOCK_AHEAD: String(MINUTE - Date.now()) };
  if (clocks === 'far-ahead') return round % 2 === 0 ? { CLOCK_AHEAD: String(FAR_AHEAD) } : {};
  return drawClock(till);
}

/** Right as often as not; else off by up to three days, at 1970 or far ahead, and perhaps put right while it runs. */
function drawClock({ draw }: Till): WrongClock {
  if (draw.chance(0.5)) return {};
  const off = draw.scale(1000, draw.pick([MINUTE, 60 * MINUTE, 3 * DAY]));
  const ahead = draw.pick([off, -off, -off, MINUTE - Date.now(), FAR_AHEAD]);
  return {
    CLOCK_AHEAD: String(ahead),
    ...(draw.chance(0.6) ? { CLOCK_RIGHT_AFTER: String(draw.int(1, LONGEST_START + LONGEST_LIFE)) } : {}),
  };
}

/** Most often once it pays, else at any moment after its start. @param surely once it pays */
async function killedAtWork(till: Till, clock: WrongClock, surely: boolean): Promise<void> {
  await till.start({}, clock);
  const pays = surely || till.draw.chance(0.8) ? till.requested() : undefined;
  const killed = async (): Promise<void> => {
    await pays;
    const longest = LONGEST_LIFE * till.slowness;
    await till.killAfter(till.draw.chance(0.3) ? till.draw.scale(1, longest) : till.draw.int(1, longest));
  };
  await Promise.all([till.sell(), killed()]);
}

async function killedWhileStarting(till: Till, clock: WrongClock): Promise<void> {
  const ms = till.draw.int(50, LONGEST_START);
  const started = till.start({ spawned: (child) => setTimeout(() => child.kill('SIGKILL'), ms) }, clock);
  // It may just have been quick enough; then it dies at work.
  await started.catch(() => undefined);
  await till.killAfter(ms);
}

/** Refuses orders, and then dies with what it could not write. */
async function killedOnFullDisk(till: Till, clock: WrongClock): Promise<void> {
  await till.start({ maxFileBlocks: Math.ceil(till.journalSize() / 512) + ROOM }, clock);
  const killed = async (): Promise<void> => {
    await till.refused();
    await till.killAfter(LONGEST_LIFE);
  };
  await Promise.all([till.sell(LONG_NOTE), killed()]);
}

type Known = Pick<KillReport, 'seed' | 'rounds' | 'tornJournals' | 'wrongClocks' | 'fullDisks'>;

async function reportOf(till: Till, known: Known): Promise<KillReport> {
  const heard = till.heard();
  const records = await till.records();
  const ledger = await till.ledger();
  const told = heard.filter(({ error }) => error === undefined);
  return {
    ...known,
    orders: till.orders.length,
    recorded: records.length,
    told: told.length,
    toldAgain: told.filter(({ redelivered }) => redelivered).length,
    refused: heard.length - told.length,
    charges: ledger.filter(({ kind }) => kind === 'charge').length,
    violations: judgeKills({ orders: till.orders, heard, records, ledger, kills: known.rounds }),
  };
}
