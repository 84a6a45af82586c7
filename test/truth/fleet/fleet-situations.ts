import { Draw } from '../draw.js';
import type { Outage, Scenario, Window } from '../scenario.js';
import { oneByOne, withMessages } from '../situations/parts.js';
import { undisturbed } from '../undisturbed.js';
import type { Fleet, Strike } from './strikes.js';

/**
 * What takes several strikes at the right moments, and would hardly ever be met by chance. Nothing else goes wrong then. They are
 * drawn apart, so that all other seeds play what they played before.
 */

/** Of the fleet's seeds. */
const SHARE = 0.06;
/** A stream of the seed's draws that nothing else uses, and in which none of the seeds that are kept is drawn. */
const STREAM = 75;

const SECOND = 1000;
/** Every process has its role by then, however slow the database is. */
const BEGUN = 60 * SECOND;
/** What the way to a database takes at most that answers just before a call has failed, ms. */
const SLOW = 3 * SECOND;
/** With such a database most payments are at their terminal by then, and nobody has asked what became of them. */
const SENT = 14 * SECOND;
/** What the flows that are deployed wait for a door that has not settled, ms. */
const ENDING = 10 * SECOND;
const DEADLINE = 20 * SECOND;

type FleetSituation = (scenario: Scenario, fleet: Fleet, draw: Draw) => Scenario;

/** What happens around one message. Times in ms from when it comes. */
interface Around {
  strikes: Strike[];
  /** Nobody can ask the service meanwhile, so that the flow hears that its deadline has passed, and of the end after that. */
  silent?: Window;
}

const UNDISTURBED: Omit<Fleet, 'engines' | 'skews'> = {
  strikes: [],
  timely: undefined,
  unheard: undefined,
  latency: 5,
  lost: { call: 0, answer: 0, notification: 0 },
  twice: 0,
};

/** One payment after the other in a leader and one door, and much the same around each of them. */
function oneDoor(scenario: Scenario, fleet: Fleet, changed: Partial<Fleet>, around: () => Around): Scenario {
  const policies = { deadlineMs: DEADLINE, lateApproval: 'report' as const };
  const alone: Scenario = {
    ...undisturbed(scenario, []),
    focus: undefined,
    fumbles: false,
    isQuick: true,
    callbacks: false,
  };
  const paid = withMessages(alone, oneByOne('sale', policies));
  const messages = paid.messages.map((message) => ({ ...message, at: BEGUN + message.at }));
  const strikes: Strike[] = [];
  const outages: Outage[] = [];
  for (const { at } of messages) {
    const { strikes: struck, silent } = around();
    strikes.push(...struck.map((strike) => ({ ...strike, at: at + strike.at })));
    if (silent !== undefined)
      outages.push({ from: at + silent.from, until: at + silent.until, kind: 'refused', target: 'both' });
  }
  const calmAt = Math.max(...strikes.map(({ at, ms }) => at + ms)) + 60 * SECOND;
  const skews = fleet.skews.slice(0, 2);
  return { ...paid, messages, outages, calmAt, fleet: { ...UNDISTURBED, engines: 2, skews, ...changed, strikes } };
}

/** The database is slow, and a door stands still while a result is on its way to it, until the leader has told that itself. */
const frozenDoors: FleetSituation = (scenario, fleet, draw) =>
  oneDoor(scenario, fleet, { latency: SLOW }, () => ({
    strikes: [{ at: draw.int(10, 40) * SECOND, kind: 'freeze', victim: 'door', ms: draw.int(35, 60) * SECOND }],
  }));

/** A door that counts as dead goes on while the leader asks whether it can still tell what the flow has to hear of its deadline. */
const thawingDoors: FleetSituation = (scenario, fleet, draw) =>
  oneDoor(scenario, fleet, { latency: SLOW }, () => {
    const at = draw.int(8, 16) * SECOND;
    const ms = draw.int(50 * SECOND, 64 * SECOND) - at;
    return { strikes: [{ at, kind: 'freeze', victim: 'door', ms }], silent: { from: SENT, until: 90 * SECOND } };
  });

/**
 * The database is slow, and a door dies that has a verdict to tell. The next one comes right when the leader has counted the
 * door as dead, and before it has looked what became of the first.
 */
const correctedDeadDoors: FleetSituation = (scenario, fleet, draw) =>
  oneDoor(scenario, fleet, { latency: SLOW }, () => {
    // Before the flow has to hear of its deadline: nobody may wait for that on a database that is so slow.
    const until = draw.int(52, 62) * SECOND;
    const at = until - draw.int(14, 28) * SECOND;
    return { strikes: [{ at, kind: 'crash', victim: 'door', ms: 0 }], silent: { from: SENT, until } };
  });

/** A door stands still while a verdict and its correction come, and its flows are deployed as soon as it goes on. */
const deployedAfterFreeze: FleetSituation = (scenario, fleet, draw) =>
  oneDoor(scenario, fleet, { latency: SLOW }, () => {
    const at = draw.int(48, 54) * SECOND;
    const ms = draw.int(15, 22) * SECOND;
    const deployedAt = at + ms + draw.int(1, 3 * SECOND);
    return {
      strikes: [
        { at, kind: 'freeze', victim: 'door', ms },
        { at: deployedAt, kind: 'deploy', victim: 'door', ms: draw.int(100, SECOND) },
      ],
      silent: { from: SENT, until: at + draw.int(0, 10) * SECOND },
    };
  });

/** A door is cut off until its flow has heard that nobody knows, and the leader has told the end. After that answers get lost. */
const unheardBurials: FleetSituation = (scenario, fleet, draw) => {
  const lost = { call: 0, answer: 0.25, notification: 0 };
  return oneDoor(scenario, fleet, { lost }, () => ({
    strikes: [
      {
        at: draw.int(2, 8) * SECOND,
        kind: 'cut',
        victim: 'door',
        ms: draw.int(65, 100) * SECOND,
        isSilent: draw.chance(0.5),
      },
    ],
    silent: { from: 2 * SECOND, until: draw.int(30, 60) * SECOND },
  }));
};

/**
 * The flows of a door that is cut off are deployed. The door that follows tells the result as soon as it reaches the database,
 * which goes away right then: the one before it has not heard of that.
 */
const deployedWhileCut: FleetSituation = (scenario, fleet, draw) =>
  oneDoor(scenario, fleet, {}, () => {
    const at = draw.int(500, 8 * SECOND);
    const ms = draw.int(16, 29) * SECOND;
    const closed = draw.int(100, 2 * SECOND);
    const opensAt = at + ms + draw.int(100, 3 * SECOND);
    const awayAt = opensAt + draw.int(100, 1500);
    return {
      strikes: [
        { at, kind: 'cut', victim: 'door', ms, isSilent: false },
        { at: opensAt - closed - ENDING, kind: 'deploy', victim: 'door', ms: closed },
        { at: awayAt, kind: 'database away', ms: draw.int(70, 120) * SECOND, isSilent: draw.chance(0.5) },
      ],
    };
  });

/**
 * A door stands still until the leader has told a verdict in its place, and has died of that. The next leader posts that verdict
 * to the door once more, and then the one that corrects it.
 */
const deadTellers: FleetSituation = (scenario, fleet, draw) => {
  const firstTelling: Strike = { at: 0, kind: 'crash', victim: 'leader', ms: 0 };
  return oneDoor(scenario, fleet, { latency: SLOW, firstTelling }, () => ({
    strikes: [{ at: draw.int(8, 20) * SECOND, kind: 'freeze', victim: 'door', ms: draw.int(45, 70) * SECOND }],
    silent: { from: SENT, until: draw.int(65, 110) * SECOND },
  }));
};

const SITUATIONS = {
  frozenDoors,
  thawingDoors,
  correctedDeadDoors,
  deployedAfterFreeze,
  unheardBurials,
  deployedWhileCut,
  deadTellers,
} satisfies Record<string, FleetSituation>;

type Name = keyof typeof SITUATIONS;
export const FLEET_SITUATION_NAMES = Object.keys(SITUATIONS) as [Name, ...Name[]];

/** @param only every seed is in this situation; absent: some are in one of any */
export function inFleetSituation(scenario: Scenario, only?: string): Scenario {
  const { fleet, seed } = scenario;
  const draw = new Draw(seed, STREAM);
  const isDrawn = draw.chance(SHARE);
  const drawn = draw.pick(FLEET_SITUATION_NAMES);
  const name = only === undefined && isDrawn ? drawn : FLEET_SITUATION_NAMES.find((known) => known === only);
  return fleet === undefined || name === undefined ? scenario : SITUATIONS[name](scenario, fleet, draw);
}
