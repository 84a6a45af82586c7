import type { TransactionOperation } from './api/transaction-request.js';
import {
  BUSY_PAUSE,
  CARD_WINDOW,
  LAST_ANSWER,
  PARTIAL_PROMPT,
  RECOVERY_LIMIT,
  REQUEST_LIFETIME,
  REVERSAL_LIMIT,
  STATUS_LAG,
  THROTTLE_LIMIT,
  THROTTLE_PAUSE,
  WATCH_LIMIT,
} from './limits.js';
import type { Policies, Source, Verdict } from './operation.js';
import {
  type Meaning,
  NOT_CHARGED,
  PROVISIONAL,
  REVERSAL_UNPROVEN,
  refused,
  takenBack,
  UNKNOWN,
  verdictOf,
} from './verdict.js';

/**
 * The life of one terminal operation, from recorded to settled, as a table. Pure: `step` takes a state, an event and
 * the time and returns the next state and what has to be done; it reads no clock, draws nothing and does no I/O.
 *
 * An event first adds to what is known (`note`); then the first row of `ROWS` whose phase, event and condition fit
 * decides. No row: what was learned is kept, and nothing else happens.
 */

export type Phase =
  /** Recorded; the engine's own earlier operation still holds the terminal. Nothing was sent. */
  | 'queued'
  /** The request is on its way, or was when the process died. */
  | 'sending'
  /** Certainly refused for now (busy, 429); the next attempt follows. */
  | 'pausing'
  /** The terminal may be charging: wait for the truth from callback, poll and status service. */
  | 'waiting'
  /** An approval is being taken back by the flow's policy. */
  | 'reversing'
  /** The flow was told "unknown" or "provisional"; a slow watch looks for the truth. */
  | 'watching'
  | 'closed';

/** How the service refused a request. */
export type Refusal = 'busy' | 'throttled' | 'mistake' | 'other';

export type LifecycleEvent =
  /** The terminal is free for this operation. */
  | { type: 'turn' }
  | { type: 'accepted'; resultId?: string }
  | { type: 'refused'; refusal: Refusal; error: NonNullable<Verdict['error']> }
  | { type: 'not-sent'; error: NonNullable<Verdict['error']> }
  /** The flow cancelled while the request still waited for the rate limit. */
  | { type: 'withdrawn' }
  | { type: 'answer-lost' }
  /** The process died, or the engine was replaced; this one takes the operation up from the journal. */
  | { type: 'restored' }
  | { type: 'terminal'; meaning: Meaning; via: 'callback' | 'poll'; transactionId?: string }
  | { type: 'gateway'; meaning: Meaning | 'none'; askedAt: number; transactionId?: string }
  /** A ping, or a stop, was answered so that nothing can be running on the terminal. */
  | { type: 'idle'; askedAt: number }
  | { type: 'cancel' }
  | { type: 'reversed' }
  /** The flow has been handed the verdict that was owed. */
  | { type: 'told' }
  | { type: 'tick' };

export type EventType = LifecycleEvent['type'];

/** What the engine does for a row, in this order; `save` is awaited before what follows it. */
export type Effect = 'new-attempt' | 'save' | 'post' | 'tell' | 'late';

/** A verdict that the flow has not been told yet. */
export interface Owed {
  verdict: Verdict;
  source: Source;
  correction: boolean;
  /** The flow or its configuration is at fault: Catch, not an output. */
  mistake?: boolean;
}

/** JSON-safe: it lives in the journal. All times epoch ms. */
export interface LifecycleState {
  phase: Phase;
  operation: TransactionOperation;
  policies: Policies;
  /** The status service can know this operation by our reference; where it cannot, its "not found" proves nothing. */
  traceable: boolean;
  /** When the message entered. */
  startedAt: number;
  /** When the latest attempt was answered, or its answer was given up: the request left no later than that. */
  attemptAt: number;
  pausedUntil?: number;
  terminal?: { meaning: Meaning; via: 'callback' | 'poll'; at: number };
  gateway?: { meaning: Meaning | 'none'; askedAt: number };
  /** A moment at which the terminal certainly no longer ran this operation. */
  endedAt?: number;
  stopWanted?: boolean;
  resultId?: string;
  transactionId?: string;
  reversing?: { reason: 'late' | 'partial'; since: number };
  watchUntil?: number;
  /** What the flow was told last. */
  told?: Verdict['outcome'];
  owed?: Owed;
}

export interface Step {
  state: LifecycleState;
  effects: readonly Effect[];
  /** Id of the row that decided; absent when the event only added to what is known. */
  row?: string;
}

/** The state of a new operation. `free`: the terminal is free, so the request leaves as soon as it is recorded. */
export function begin(
  operation: TransactionOperation,
  policies: Policies,
  traceable: boolean,
  free: boolean,
  now: number,
): LifecycleState {
  return { phase: free ? 'sending' : 'queued', operation, policies, traceable, startedAt: now, attemptAt: now };
}

/** When an approval counts as late, and the terminal is asked to stop. Epoch ms. */
export function deadlineOf({ policies, startedAt, attemptAt }: LifecycleState): number {
  return policies.deadlineMs === undefined ? attemptAt + RECOVERY_LIMIT : startedAt + policies.deadlineMs;
}

type When = (state: LifecycleState, now: number, event: LifecycleEvent) => boolean;
type Says = (state: LifecycleState, event: LifecycleEvent) => Omit<Owed, 'correction'>;

export interface Row {
  id: string;
  from: readonly Phase[];
  on: readonly EventType[];
  when?: When;
  to: Phase;
  does?: readonly Effect[];
  says?: Says;
  /** Changes of the state beside the phase. */
  sets?: (state: LifecycleState, now: number) => Partial<LifecycleState>;
  because: string;
}

// What is known.

const terminalSays =
  (...meanings: Meaning[]): When =>
  ({ terminal }) =>
    terminal !== undefined && meanings.includes(terminal.meaning);

const gatewaySays =
  (...meanings: Meaning[]): When =>
  ({ gateway }) =>
    gateway !== undefined && gateway.meaning !== 'none' && meanings.includes(gateway.meaning);

const all =
  (...conditions: When[]): When =>
  (state, now, event) =>
    conditions.every((holds) => holds(state, now, event));

const any =
  (...conditions: When[]): When =>
  (state, now, event) =>
    conditions.some((holds) => holds(state, now, event));

const refusedAs =
  (refusal: Refusal): When =>
  (_state, _now, event) =>
    event.type === 'refused' && event.refusal === refusal;

const mayTryBusyAgain: When = ({ startedAt, policies }, now) => now + BUSY_PAUSE <= startedAt + policies.busyWaitMs;
const mayTryThrottledAgain: When = ({ startedAt }, now) => now + THROTTLE_PAUSE <= startedAt + THROTTLE_LIMIT;
const pauseIsOver: When = ({ pausedUntil = 0 }, now) => now >= pausedUntil;
const turnIsLost: When = ({ startedAt, policies }, now) => now >= startedAt + policies.busyWaitMs;

/** A partial approval by callback is the end of it; one that was polled may still be the prompt. */
const partialIsFinal: When = ({ terminal }, now) =>
  terminal?.meaning === 'partial' && (terminal.via === 'callback' || now >= terminal.at + PARTIAL_PROMPT);

const late: When = (state, now) => now >= deadlineOf(state);
const lateIsReversed: When = ({ policies }) => policies.lateApproval === 'reverse';
const partialIsReversed: When = ({ policies }) => policies.partialApproval === 'reverse';
/** Taken back once at most: a reversal that stayed unproven is looked after by the watch. */
const canBeReversed: When = ({ transactionId = '', reversing }) => transactionId !== '' && reversing === undefined;
const isKept: When = ({ reversing }) => reversing === undefined;

/** The gateway has no record, asked so late after the terminal's end that its lag is covered, and after 90 s. */
const terminalEndedWithout: When = ({ gateway, endedAt, attemptAt }) =>
  gateway?.meaning === 'none' &&
  endedAt !== undefined &&
  gateway.askedAt >= endedAt + STATUS_LAG &&
  gateway.askedAt >= attemptAt + CARD_WINDOW;

/** The gateway has no record, asked when no terminal can still present a card. */
const limitPassedWithout: When = ({ gateway, attemptAt }) =>
  gateway?.meaning === 'none' && gateway.askedAt >= attemptAt + RECOVERY_LIMIT + STATUS_LAG;

const traceable: When = ({ traceable }) => traceable;
const provenNotCharged = all(traceable, any(terminalEndedWithout, limitPassedWithout));

/** The gateway's FAILED is believed once the terminal has nothing to add. */
const provenFailed: When = all(
  gatewaySays('failed'),
  ({ endedAt, attemptAt }, now) => endedAt !== undefined || now >= attemptAt + RECOVERY_LIMIT,
);

const limitPassed: When = ({ attemptAt }, now) => now >= attemptAt + RECOVERY_LIMIT;
const lastAnswerIsOverdue: When = ({ attemptAt }, now) => now >= attemptAt + RECOVERY_LIMIT + STATUS_LAG + LAST_ANSWER;
const watchIsOver: When = ({ watchUntil = 0 }, now) => now >= watchUntil;
const reversalIsOverdue: When = ({ reversing }, now) => now >= (reversing?.since ?? 0) + REVERSAL_LIMIT;
const gatewayTookItBack: When = all(
  gatewaySays('cancelled', 'returned'),
  ({ gateway, reversing }) => (gateway?.askedAt ?? 0) >= (reversing?.since ?? 0),
);
const toldUnknown: When = ({ told }) => told === 'unknown';

// What is said.

const terminalVerdict: Says = ({ operation, terminal }) => ({
  verdict: verdictOf(operation, terminal?.meaning ?? 'undefined'),
  source: terminal?.via ?? 'poll',
});
const gatewayVerdict: Says = ({ operation, gateway }) => ({
  verdict: verdictOf(operation, gateway === undefined || gateway.meaning === 'none' ? 'undefined' : gateway.meaning),
  source: 'status',
});
const settledVerdict: Says = (state, event) =>
  terminalSays('declined', 'cancelled')(state, 0, event) ? terminalVerdict(state, event) : gatewayVerdict(state, event);
const fixed =
  (verdict: Verdict, source: Source): Says =>
  () => ({ verdict, source });
const refusal: Says = (_state, event) => ({
  verdict: refused(event.type === 'refused' ? event.error : undefined),
  source: 'answer',
  ...(event.type === 'refused' && event.refusal === 'mistake' ? { mistake: true } : {}),
});
const notSent: Says = (_state, event) => ({
  verdict: { ...NOT_CHARGED, ...(event.type === 'not-sent' ? { error: event.error } : {}) },
  source: 'answer',
});
const neverCharged: Says = ({ operation, terminal }) => ({
  verdict: terminal?.meaning === 'failed' ? verdictOf(operation, 'failed') : NOT_CHARGED,
  source: 'recovery',
});
const lostTurn: Says = () => ({
  verdict: refused({
    code: '1001',
    name: 'TERMINAL_BUSY',
    message: 'an earlier operation of this environment still holds the terminal',
  }),
  source: 'answer',
});
const takenBackVerdict: Says = ({ reversing }) => ({
  verdict: takenBack(reversing?.reason ?? 'late'),
  source: 'recovery',
});

// What is set.

const startReversal =
  (reason: 'late' | 'partial') =>
  (_state: LifecycleState, now: number): Partial<LifecycleState> => ({ reversing: { reason, since: now } });
const startWatch = ({ watchUntil, startedAt }: LifecycleState): Partial<LifecycleState> => ({
  watchUntil: watchUntil ?? startedAt + WATCH_LIMIT,
});
const pauseFor =
  (ms: number) =>
  (_state: LifecycleState, now: number): Partial<LifecycleState> => ({ pausedUntil: now + ms });
/** What was learned belongs to the attempt it was learned about. */
const nextAttempt = (_state: LifecycleState, now: number): Partial<LifecycleState> => ({
  attemptAt: now,
  pausedUntil: undefined,
  terminal: undefined,
  gateway: undefined,
  endedAt: undefined,
  resultId: undefined,
  transactionId: undefined,
});

const TRUTH: readonly EventType[] = ['terminal', 'gateway', 'idle', 'tick', 'accepted', 'answer-lost', 'restored'];
/** Phases in which a card may have been, or may still be, presented. */
const UNSETTLED: readonly Phase[] = ['sending', 'pausing', 'waiting', 'watching'];

/** The lifecycle. Read it from top to bottom: the first row that fits decides. */
export const ROWS: readonly Row[] = [
  {
    id: 'turn comes',
    from: ['queued'],
    on: ['turn'],
    to: 'sending',
    sets: (_state, now) => ({ attemptAt: now }),
    does: ['save', 'post'],
    because: 'One operation at a time per terminal; the record says "sending" before the request leaves.',
  },
  {
    id: 'cancelled before sending',
    from: ['queued', 'pausing', 'sending'],
    on: ['cancel', 'withdrawn'],
    when: any(
      ({ phase }) => phase !== 'sending',
      (_state, _now, { type }) => type === 'withdrawn',
    ),
    to: 'closed',
    does: ['save', 'tell'],
    says: fixed(verdictOf('sale', 'cancelled'), 'answer'),
    because: 'Nothing was sent, or what was sent was refused: certain.',
  },
  {
    id: 'turn does not come',
    from: ['queued'],
    on: ['tick', 'restored'],
    when: turnIsLost,
    to: 'closed',
    does: ['save', 'tell'],
    says: lostTurn,
    because: 'The form says how long to wait for a busy terminal.',
  },
  {
    id: 'next attempt',
    from: ['pausing'],
    on: ['tick', 'restored'],
    when: pauseIsOver,
    to: 'sending',
    sets: nextAttempt,
    does: ['new-attempt', 'save', 'post'],
    because: 'After a busy answer or a 429 the next try uses a new reference.',
  },
  {
    id: 'busy, try again',
    from: ['sending'],
    on: ['refused'],
    when: all(refusedAs('busy'), mayTryBusyAgain),
    to: 'pausing',
    sets: pauseFor(BUSY_PAUSE),
    does: ['save'],
    because: '1001: another operation is in progress; wait 2 to 5 seconds.',
  },
  {
    id: 'throttled, try again',
    from: ['sending'],
    on: ['refused'],
    when: all(refusedAs('throttled'), mayTryThrottledAgain),
    to: 'pausing',
    sets: pauseFor(THROTTLE_PAUSE),
    does: ['save'],
    because: '429: back off one second and retry.',
  },
  {
    id: 'refused',
    from: ['sending'],
    on: ['refused'],
    to: 'closed',
    does: ['save', 'tell'],
    says: refusal,
    because: 'A refusal at the POST is certain: nothing began.',
  },
  {
    id: 'not sent',
    from: ['sending'],
    on: ['not-sent'],
    to: 'closed',
    does: ['save', 'tell'],
    says: notSent,
    because: 'Name not resolved or connection refused: not a byte arrived.',
  },
  {
    id: 'late approval, reverse',
    from: UNSETTLED,
    on: TRUTH,
    when: all(terminalSays('approved'), late, lateIsReversed, canBeReversed),
    to: 'reversing',
    sets: startReversal('late'),
    does: ['save'],
    because: 'The flow must not accept an approval this late.',
  },
  {
    id: 'approved',
    from: UNSETTLED,
    on: TRUTH,
    when: all(terminalSays('approved'), isKept),
    to: 'closed',
    does: ['save', 'tell'],
    says: terminalVerdict,
    because: "The terminal's result settles an approval; nothing else does.",
  },
  {
    id: 'partial approval, reverse',
    from: UNSETTLED,
    on: TRUTH,
    when: all(partialIsFinal, partialIsReversed, canBeReversed),
    to: 'reversing',
    sets: startReversal('partial'),
    does: ['save'],
    because: 'The flow wants the whole amount or nothing.',
  },
  {
    id: 'partial approval',
    from: UNSETTLED,
    on: TRUTH,
    when: all(partialIsFinal, isKept),
    to: 'closed',
    does: ['save', 'tell'],
    says: terminalVerdict,
    because: 'Same body as the prompt: final by callback, or after the 60 s of the prompt.',
  },
  {
    id: 'declined or cancelled',
    from: UNSETTLED,
    on: TRUTH,
    when: any(terminalSays('declined', 'cancelled'), gatewaySays('declined', 'cancelled', 'returned')),
    to: 'closed',
    does: ['save', 'tell'],
    says: settledVerdict,
    because: 'DECLINED and CANCELLED settle from either side; REFUNDED means that the money went back.',
  },
  {
    id: 'failed',
    from: UNSETTLED,
    on: TRUTH,
    when: provenFailed,
    to: 'closed',
    does: ['save', 'tell'],
    says: gatewayVerdict,
    because: 'FAILED is a question; the gateway saying the same, with nothing left on the terminal, answers it.',
  },
  {
    id: 'not charged',
    from: UNSETTLED,
    on: TRUTH,
    when: provenNotCharged,
    to: 'closed',
    does: ['save', 'tell'],
    says: neverCharged,
    because: 'No record after 90 s and the terminal has ended it, or no record after the recovery limit.',
  },
  {
    id: 'answer comes',
    from: ['sending'],
    on: ['accepted'],
    to: 'waiting',
    does: ['save'],
    because: '202: the terminal has it.',
  },
  {
    id: 'answer lost',
    from: ['sending'],
    on: ['answer-lost', 'restored'],
    to: 'waiting',
    does: ['save'],
    because: 'The terminal may be charging: recover, never resend.',
  },
  {
    id: 'unconfirmed approval, reverse',
    from: ['waiting', 'watching'],
    on: TRUTH,
    when: all(gatewaySays('approved', 'partial'), late, lateIsReversed, canBeReversed),
    to: 'reversing',
    sets: startReversal('late'),
    does: ['save'],
    because: 'AUTHORISED with no terminal result in time is provisional; the policy takes it back.',
  },
  {
    id: 'unconfirmed approval, report',
    from: ['waiting'],
    on: TRUTH,
    when: all(gatewaySays('approved', 'partial'), limitPassed),
    to: 'watching',
    sets: startWatch,
    does: ['save', 'tell'],
    says: fixed(PROVISIONAL, 'status'),
    because: 'A status-service AUTHORISED is never stored as final.',
  },
  {
    id: 'unknown',
    from: ['waiting'],
    on: TRUTH,
    when: lastAnswerIsOverdue,
    to: 'watching',
    sets: startWatch,
    does: ['save', 'tell'],
    says: fixed(UNKNOWN, 'recovery'),
    because: 'Nobody could say within the recovery limit.',
  },
  {
    id: 'taken back',
    from: ['reversing', 'watching'],
    on: ['reversed'],
    to: 'closed',
    does: ['save', 'tell'],
    says: takenBackVerdict,
    because: 'The gateway confirmed the reversal.',
  },
  {
    id: 'gone back by itself',
    from: ['reversing'],
    on: TRUTH,
    when: any(terminalSays('declined', 'cancelled'), gatewayTookItBack),
    to: 'closed',
    does: ['save', 'tell'],
    says: takenBackVerdict,
    because: 'A lost answer to a reversal, or a reversal by the terminal: the chain shows it.',
  },
  {
    id: 'reversal unproven',
    from: ['reversing'],
    on: TRUTH,
    when: reversalIsOverdue,
    to: 'watching',
    sets: startWatch,
    does: ['save', 'tell'],
    says: fixed(REVERSAL_UNPROVEN, 'recovery'),
    because: 'A person must look: approved, and nobody confirms that it was taken back.',
  },
  {
    id: 'unknown turns provisional',
    from: ['watching'],
    on: TRUTH,
    when: all(toldUnknown, gatewaySays('approved', 'partial')),
    to: 'watching',
    does: ['save', 'tell'],
    says: fixed(PROVISIONAL, 'status'),
    because: 'The gateway has it after all; the terminal has not confirmed it.',
  },
  {
    id: 'watch ends approved',
    from: ['watching'],
    on: TRUTH,
    when: all(watchIsOver, gatewaySays('approved', 'partial')),
    to: 'closed',
    does: ['save', 'tell'],
    says: gatewayVerdict,
    because: 'After two days no terminal delivers any more, so none can take it back.',
  },
  {
    id: 'watch ends',
    from: ['watching'],
    on: TRUTH,
    when: watchIsOver,
    to: 'closed',
    does: ['save'],
    because: 'The flow knows already that a person must look.',
  },
  {
    id: 'late result',
    from: ['closed'],
    on: ['terminal'],
    to: 'closed',
    does: ['late', 'save'],
    because: 'Late never undoes final; callback-in shows it.',
  },
];

/** The next state, and what has to be done for it. */
export function step(before: LifecycleState, event: LifecycleEvent, now: number): Step {
  const state = note(before, event, now);
  const row = ROWS.find(
    ({ from, on, when }) =>
      from.includes(state.phase) && on.includes(event.type) && (when === undefined || when(state, now, event)),
  );
  if (row === undefined) return { state, effects: [] };
  const next: LifecycleState = { ...state, phase: row.to, ...row.sets?.(state, now) };
  if (row.says !== undefined) {
    const owed: Owed = { ...row.says(next, event), correction: state.told !== undefined };
    next.owed = owed;
    next.told = owed.verdict.outcome;
  }
  return { state: next, effects: row.does ?? [], row: row.id };
}

/** What an event teaches, whatever the phase. */
function note(state: LifecycleState, event: LifecycleEvent, now: number): LifecycleState {
  switch (event.type) {
    // The request may have waited for its turn at the rate limit: what is timed from it is timed from its answer.
    case 'accepted':
      return { ...state, attemptAt: now, resultId: event.resultId ?? state.resultId };
    case 'answer-lost':
      return { ...state, attemptAt: now };
    case 'restored':
      return state.phase === 'sending' ? { ...state, attemptAt: now } : state;
    case 'cancel':
      return { ...state, stopWanted: true };
    case 'terminal':
      return noteTerminal(state, event, now);
    case 'gateway':
      return noteGateway(state, event);
    case 'idle':
      // Before this the request itself may still be on its way to the terminal.
      if (event.askedAt < state.attemptAt + REQUEST_LIFETIME) return state;
      return { ...state, endedAt: state.endedAt ?? event.askedAt };
    case 'told':
      return { ...state, owed: undefined };
    case 'tick':
      return state.policies.deadlineMs !== undefined && now >= deadlineOf(state) && state.phase === 'waiting'
        ? { ...state, stopWanted: true }
        : state;
    default:
      return state;
  }
}

function noteTerminal(
  state: LifecycleState,
  { meaning, via, transactionId }: LifecycleEvent & { type: 'terminal' },
  now: number,
): LifecycleState {
  if (state.phase === 'closed' || meaning === 'in-progress') return state;
  const known = state.terminal;
  // A question never replaces an answer, and the same prompt polled again does not start its 60 s anew.
  if (known !== undefined && isQuestion(meaning) && !isQuestion(known.meaning)) return state;
  const at = known?.meaning === meaning ? known.at : now;
  return {
    ...state,
    terminal: { meaning, via: known?.meaning === meaning && known.via === 'callback' ? 'callback' : via, at },
    transactionId: transactionId || state.transactionId,
    endedAt: meaning === 'partial' ? state.endedAt : (state.endedAt ?? now),
  };
}

function noteGateway(
  state: LifecycleState,
  { meaning, askedAt, transactionId }: LifecycleEvent & { type: 'gateway' },
): LifecycleState {
  const known = state.gateway;
  // Answers may overtake each other, and a record that was seen does not vanish.
  if (known !== undefined && askedAt < known.askedAt) return state;
  const settled = meaning === 'undefined' || meaning === 'in-progress' ? (known?.meaning ?? meaning) : meaning;
  const kept = settled === 'none' && known !== undefined && known.meaning !== 'none' ? known.meaning : settled;
  return {
    ...state,
    gateway: { meaning: kept, askedAt },
    transactionId: state.transactionId || transactionId,
  };
}

function isQuestion(meaning: Meaning): boolean {
  return meaning === 'undefined' || meaning === 'failed' || meaning === 'in-progress';
}
