import type { TerminalAddress } from '../../src/core/api/schema/fields.js';
import { FAULT_KINDS, FAULT_MOMENTS } from '../../src/simulator/index.js';
import { Draw } from './draw.js';
import { inFleet } from './fleet/fleet-scenario.js';
import { FLEET_SITUATION_NAMES, inFleetSituation } from './fleet/fleet-situations.js';
import { type Hostility, hostilityOf, type WorldName } from './hostility.js';
import { canPileUp } from './readings.js';
import { type Focus, type Message, type Scenario, scenarioOfToday, TERMINALS, type Trouble } from './scenario.js';
import { inSituation, LATE_CALLBACKS, SITUATION_NAMES } from './situations/situations.js';
import { storingCards } from './storing-cards.js';
import { undisturbed } from './undisturbed.js';

/** What a seed decides, in either world. */

/** In so many of the hostile seeds something piles up. */
const FOCUSED = 0.15;
/** Longer than an open payment is watched, ms. */
const LASTING = 4 * 24 * 60 * 60_000;
const HOSTILE_FOCUSES: readonly [Focus, ...Focus[]] = [
  { at: 'wording', alsoAt: 'status-with-record' },
  { at: 'decision' },
  { at: 'reporting' },
  { at: 'POST /transactions', only: ['acts-late'], isSlow: true, isHasty: true },
  { at: 'status-with-record', only: ['status-in-progress'], isLasting: true },
];

/** In so many of the hostile seeds a proxy repeats orders. */
const SHARE = 0.12;
const PATIENCE = 5 * 60_000;

const FOCUS: Focus = {
  at: 'POST /transactions',
  alsoAt: 'callback',
  only: ['repeated-request'],
  isRepeated: true,
};

/** The situations that can be played alone. */
export const SITUATIONS_OF: Record<WorldName, readonly string[]> = {
  today: [],
  hostile: SITUATION_NAMES,
  fleet: FLEET_SITUATION_NAMES,
};

/** @param only a situation of this world, and nothing else */
export function scenarioOf(seed: number, world: WorldName, only?: string): Scenario {
  const scenario = scenarioOfToday(seed);
  if (world === 'fleet') return inFleetSituation(withOwnTerminals(inFleet(scenario)), only);
  return inSituation(withOwnTerminals(world === 'today' ? scenario : hostile(scenario)), only);
}

/** The terminals are this flow's alone, but where another till uses them. */
function withOwnTerminals(scenario: Scenario): Scenario {
  const exclusiveTerminal =
    new Draw(scenario.seed, 30).chance(scenario.focus?.isRepeated ? 0.2 : 0.6) &&
    scenario.hostility?.actors.has('other-till-terminal') !== true;
  const messages = scenario.messages.map((message) => ({
    ...message,
    policies: { ...message.policies, exclusiveTerminal },
  }));
  return { ...scenario, messages };
}

/** What is as hostile as the world can be comes on top of what a seed decides anyway. */
function hostile(scenario: Scenario): Scenario {
  const draw = new Draw(scenario.seed, 20);
  const hostility = hostilityOf(draw, new Draw(scenario.seed, 61));
  const withCurrency = (message: Message): Message => ({ ...message, currency: draw.pick(hostility.currencies) });
  const changed = {
    ...scenario,
    variants: hostility.variants,
    messages: scenario.messages.map(withCurrency),
  };
  const focused = withHostileFocus({ ...changed, hostility }, hostility, new Draw(scenario.seed, 60));
  return storingCards(withRepeatedRequests(focused, new Draw(scenario.seed, 54)));
}

/** What only a hostile service does piles up at one place: it would hardly ever meet what else it takes. */
function withHostileFocus(scenario: Scenario, hostility: Hostility, draw: Draw): Scenario {
  if (!draw.chance(FOCUSED)) return scenario;
  const focus = draw.pick(HOSTILE_FOCUSES);
  const kinds = FAULT_KINDS.filter(
    (kind) =>
      canPileUp(kind, hostility.faults) &&
      ([focus.at, focus.alsoAt].includes(FAULT_MOMENTS[kind]) || focus.only?.includes(kind)),
  );
  const changed: Scenario = {
    ...scenario,
    focus,
    hostility: { ...hostility, faults: [...new Set([...hostility.faults, ...kinds])] },
    ...(focus.isSlow ? { fumbles: draw.chance(0.95), statusLagMs: 10_000 } : {}),
  };
  const alone = draw.chance(0.6) ? undisturbed(changed, kinds) : changed;
  if (focus.isHasty) return { ...alone, messages: alone.messages.map(hasty) };
  return focus.isLasting ? { ...alone, calmAt: LASTING, troubles: TERMINALS.map(switchedOff) } : alone;
}

function hasty(message: Message): Message {
  return { ...message, policies: { ...message.policies, deadlineMs: 20_000, lateApproval: 'report' } };
}

/** Somebody switches the terminal off while it is at work, and goes away for days. */
function switchedOff({ serial_number: serial }: TerminalAddress, place: number): Trouble {
  return { at: 5000 * (place + 1), serial, kind: 'offline', ms: LASTING };
}

/**
 * A proxy repeats orders, so that payments begin whose answer says "busy": which of several attempts was charged would
 * hardly ever be a question otherwise. The flow waits long for a busy terminal, and the status service is late.
 */
function withRepeatedRequests(scenario: Scenario, draw: Draw): Scenario {
  const { hostility } = scenario;
  if (hostility === undefined || !draw.chance(SHARE)) return scenario;
  const patient = (message: Message): Message => {
    const { deadlineMs: _deadlineMs, ...policies } = message.policies;
    const deadline = draw.chance(0.2) ? { deadlineMs: 60_000 } : {};
    return { ...message, policies: { ...policies, ...deadline, busyWaitMs: PATIENCE } };
  };
  const repeated: Scenario = {
    ...scenario,
    hostility: { ...hostility, faults: [...new Set([...hostility.faults, 'repeated-request' as const])] },
    focus: FOCUS,
    callbacks: draw.chance(0.4),
    statusLagMs: draw.pick([1000, 5000, 10_000, 10_000]),
    messages: scenario.messages.map(patient),
    fumbles: draw.chance(0.1),
  };
  return draw.chance(0.6) ? undisturbed(repeated, ['repeated-request', ...LATE_CALLBACKS]) : repeated;
}
