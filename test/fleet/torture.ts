import type { Draw } from '../truth/draw.js';
import type { Blow } from './evidence.js';
import type { Fleet } from './fleet.js';
import type { Replica } from './replica.js';

/** What is done to the fleet. */
export interface Blows {
  kills: number;
  freezes: number;
  restarts: number;
}

export interface Force extends Blows {
  /** How long a replica stands still, ms. */
  freezeMs: number;
  /** How long the database stays away at most, ms. */
  awayMs: number;
}

/** Orders that are answered between two blows. */
const BETWEEN = [5, 40] as const;

/** For longer no process relies on a lease, ms. */
const LEASE = 25_000;

/** Strikes again and again, while customers pay. */
export async function torture(fleet: Fleet, force: Force, noted: (blow: Blow) => void): Promise<Blow[]> {
  const draw = fleet.draw(5);
  const left = (['kill', 'freeze', 'restart'] as const).flatMap((kind) =>
    Array<Blow['kind']>(force[`${kind}s`]).fill(kind),
  );
  const blows: Blow[] = [];
  while (left.length > 0) {
    if (!(await fleet.customers.more(draw.int(...BETWEEN)))) break;
    const [kind = 'kill'] = left.splice(draw.int(0, left.length - 1), 1);
    const at = fleet.now();
    const life = await STRIKES[kind](fleet, draw, force);
    const blow = { kind, at, until: fleet.now(), ...(life === undefined ? {} : { life }) };
    noted(blow);
    blows.push(blow);
  }
  return blows;
}

const STRIKES = { kill, freeze, restart };

async function kill(fleet: Fleet, draw: Draw): Promise<string> {
  const replica = oneOf(fleet, draw);
  const life = await replica.kill();
  await fleet.endLeases(replica);
  await fleet.start(replica);
  return life;
}

async function freeze(fleet: Fleet, draw: Draw, { freezeMs }: Force): Promise<string> {
  const replica = oneOf(fleet, draw);
  replica.freeze();
  // How long a process stands still is a matter of time, and of nothing that could be waited for instead.
  await passed(freezeMs);
  if (freezeMs * fleet.setting.speed >= LEASE) await fleet.endLeases(replica);
  replica.thaw();
  return replica.life;
}

async function restart({ database }: Fleet, draw: Draw, { awayMs }: Force): Promise<undefined> {
  await database.stop();
  await passed(draw.int(0, awayMs));
  await database.run();
}

async function passed(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Most often the one with the most orders in its hands. */
function oneOf({ replicas, balancer }: Fleet, draw: Draw): Replica {
  const busiest = balancer.busiest();
  const atWork = draw.chance(0.6) ? replicas.find(({ life, isUp }) => isUp && life === busiest) : undefined;
  const up = replicas.filter(({ isUp }) => isUp);
  const replica = atWork ?? up[draw.int(0, up.length - 1)];
  if (replica === undefined) throw new Error('no replica is up');
  return replica;
}
