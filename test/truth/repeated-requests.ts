import type { Draw } from './draw.js';
import type { Hostility } from './hostility.js';
import type { Focus, Message, Scenario } from './scenario.js';

/** In so many of the hostile seeds. */
const SHARE = 0.12;
const PATIENCE = 5 * 60_000;

const FOCUS: Focus = { at: 'POST /transactions', only: ['repeated-request'], isRepeated: true };

/**
 * A proxy repeats orders, so that payments begin whose answer says "busy": which of several attempts was charged would
 * hardly ever be a question otherwise. The flow waits long for a busy terminal, and the status service is late.
 */
export function withRepeatedRequests(scenario: Scenario, hostility: Hostility, draw: Draw): Scenario {
  if (!draw.chance(SHARE)) return { ...scenario, hostility };
  const patient = (message: Message): Message => {
    const { deadlineMs: _deadlineMs, ...policies } = message.policies;
    const deadline = draw.chance(0.2) ? { deadlineMs: 60_000 } : {};
    return { ...message, policies: { ...policies, ...deadline, busyWaitMs: PATIENCE } };
  };
  return {
    ...scenario,
    hostility: { ...hostility, faults: [...new Set([...hostility.faults, 'repeated-request' as const])] },
    focus: FOCUS,
    callbacks: draw.chance(0.5),
    statusLagMs: draw.pick([1000, 5000, 10_000]),
    messages: scenario.messages.map(patient),
  };
}
