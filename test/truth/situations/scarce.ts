import type { FaultKind } from '../../../src/simulator/index.js';
import type { Focus, Message } from '../scenario.js';
import {
  BEGUN_DESPITE_EACH_429,
  LOSSES,
  oneByOne,
  onlyThese,
  type Situation,
  upsetsEvery,
  withMessages,
} from './parts.js';

/**
 * What takes so much at once that no other situation has met it in a hundred thousand seeds. Drawn apart from all of them, so
 * that the other seeds play what they played before these came.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const LIED: FaultKind = 'repeated-request-throttled';

const withCloses = (message: Message, place: number): Message => ({
  ...message,
  at: place * MINUTE,
  operation: 'sale',
  amount: '2500',
  followUps: 3,
});

const shared = (busyWaitMs: number): Partial<Message['policies']> => ({
  exclusiveTerminal: false,
  busyWaitMs,
  deadlineMs: undefined,
});

export const SCARCE_SITUATIONS: readonly [Situation, ...Situation[]] = [
  /** A batch is closed, the answers get lost, and the environment points at another service before anybody says more. */
  (scenario, hostility, draw) => {
    const focus: Focus = { at: 'POST /batch/close', alsoAt: 'POST /batch/summary', only: LOSSES, isRelentless: true };
    const closing = {
      ...onlyThese(scenario, hostility, LOSSES, []),
      focus,
      closesBatches: true as const,
      callbacks: true,
      upsets: upsetsEvery(draw.int(5, 60) * SECOND, 12, draw.pick(['crash', 'redeploy'])),
      elsewhereMs: draw.scale(MINUTE, HOUR),
    };
    return withMessages(closing, withCloses);
  },
  /** Three attempts begin although they are answered 429, and what gives one of them back is slow. */
  (scenario, hostility, draw) => {
    const faults: FaultKind[] = [LIED, ...LOSSES, 'callback-late', 'status-record-missing'];
    const focus: Focus = { ...BEGUN_DESPITE_EACH_429, only: [LIED], isRelentless: true };
    const three = { ...onlyThese(scenario, hostility, faults, []), focus, faultRate: 0.3, isQuick: true as const };
    return withMessages({ ...three, callbacks: true }, oneByOne('sale', shared(draw.pick([MINUTE, 5 * MINUTE]))));
  },
  /** The result of an earlier attempt comes late and names no transaction, and one answer of the status service misses it. */
  (scenario, hostility, draw) => {
    const faults: FaultKind[] = [LIED, 'callback-late', 'result-without-id', 'status-record-missing'];
    const focus: Focus = { ...BEGUN_DESPITE_EACH_429, only: [LIED], isRelentless: true };
    const missed = { ...onlyThese(scenario, hostility, faults, []), focus, faultRate: 0.5, isQuick: true as const };
    return withMessages({ ...missed, callbacks: true }, oneByOne('sale', shared(draw.pick([MINUTE, 5 * MINUTE]))));
  },
];
