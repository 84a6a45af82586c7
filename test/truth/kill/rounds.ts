import { judgeKills } from './oracle.js';
import { Till } from './till.js';

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
  violations: string[];
}

export interface KillOptions {
  seed: number;
  rounds: number;
  /** One more round whose journal cannot grow. */
  fullDisk: boolean;
}

const LONGEST_LIFE = 1800;
const LONGEST_START = 1500;
/** How far the journal may grow before its disk is full, blocks of 512 bytes. */
const ROOM = 100;

/** Kills a Node-RED that takes payments, again and again, and compares in the end what everybody knows. */
export async function playKills({ seed, rounds, fullDisk }: KillOptions): Promise<KillReport> {
  const till = await Till.open(seed);
  let tornJournals = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      if (till.draw.chance(0.15)) await killedWhileStarting(till);
      else await killedAtWork(till);
      if (!till.draw.chance(0.3)) continue;
      till.tearJournal();
      tornJournals++;
    }
    if (fullDisk) await killedOnFullDisk(till);
    await till.settle();
    return await reportOf(till, { seed, rounds: rounds + Number(fullDisk), tornJournals });
  } finally {
    await till.close();
  }
}

/** Most often once it pays, else at any moment after its start. */
async function killedAtWork(till: Till): Promise<void> {
  await till.start();
  const pays = till.draw.chance(0.8) ? till.requested() : undefined;
  const killed = async (): Promise<void> => {
    await pays;
    await till.killAfter(till.draw.chance(0.3) ? till.draw.scale(1, LONGEST_LIFE) : till.draw.int(1, LONGEST_LIFE));
  };
  await Promise.all([till.sell(), killed()]);
}

async function killedWhileStarting(till: Till): Promise<void> {
  const ms = till.draw.int(50, LONGEST_START);
  const started = till.start({ spawned: (child) => setTimeout(() => child.kill('SIGKILL'), ms) });
  // It may just have been quick enough; then it dies at work.
  await started.catch(() => undefined);
  await till.killAfter(ms);
}

/** Refuses orders, and then dies with what it could not write. */
async function killedOnFullDisk(till: Till): Promise<void> {
  await till.start({ maxFileBlocks: Math.ceil(till.journalSize() / 512) + ROOM });
  const killed = async (): Promise<void> => {
    await till.refused();
    await till.killAfter(LONGEST_LIFE);
  };
  await Promise.all([till.sell(), killed()]);
}

async function reportOf(till: Till, known: Pick<KillReport, 'seed' | 'rounds' | 'tornJournals'>): Promise<KillReport> {
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
