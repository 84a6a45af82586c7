import type { LedgerEntry } from '../gateway/bank.js';
import { type ArmedFault, FAULT_KINDS, type FaultKind } from '../infra/faults.js';
import type { Simulator } from '../simulator.js';
import type { Paper } from '../terminal/printer.js';
import type { Screen } from '../terminal/session/screen.js';
import type { Ending, Terminal } from '../terminal/terminal.js';
import type { LoggedCallback, LoggedRequest } from '../wire/log-entries.js';

/** Everything that an observer can see, as JSON. */
export interface View {
  /** Identifies one run of the simulator: the logs of another run begin again. Epoch ms. */
  readonly startedAt: number;
  /** The simulator's time, epoch ms. */
  readonly now: number;
  readonly terminals: readonly TerminalView[];
  readonly faults: FaultsView;
  /** The latest entries, oldest first. */
  readonly ledger: readonly LedgerEntry[];
  readonly requests: readonly LoggedRequest[];
  readonly callbacks: readonly LoggedCallback[];
}

export interface TerminalView {
  readonly serial_number: string;
  readonly terminal_type: string;
  /** The terminal has power and network. */
  readonly connected: boolean;
  readonly network: boolean;
  readonly screen: Screen;
  readonly settings: Record<string, unknown>;
  readonly cardholder: 'automatic' | 'person';
  readonly ending?: Ending;
  readonly papers: readonly Paper[];
}

export interface FaultsView {
  /** `times`: how often each fault still strikes; 0 until cleared. */
  readonly armed: readonly ArmedFault[];
  readonly struck: Partial<Record<FaultKind, number>>;
  readonly kinds: readonly FaultKind[];
}

/** Of each log, the number of the last entry that the client has. */
export interface Cursor {
  ledger?: number;
  requests?: number;
  callbacks?: number;
}

const LEDGER_SHOWN = 500;

/** The present view; of the logs, the entries after the cursor. */
export function viewOf(simulator: Simulator, after: Cursor = {}): View {
  const { startedAt, bank, requests, callbacks } = simulator;
  const entries = bank.entries();
  return {
    startedAt,
    now: simulator.clock.now(),
    terminals: simulator.terminals().map((terminal) => terminalView(simulator, terminal)),
    faults: faultsView(simulator),
    ledger: entries.slice(Math.max(after.ledger ?? 0, entries.length - LEDGER_SHOWN)),
    requests: requests.latest(after.requests),
    callbacks: callbacks.latest(after.callbacks),
  };
}

export function terminalView(simulator: Simulator, terminal: Terminal): TerminalView {
  const { serial_number, terminal_type, connected, hasNetwork, screen, settings, lastEnding, papers } = terminal;
  return {
    serial_number,
    terminal_type,
    connected,
    network: hasNetwork,
    screen,
    settings: Object.fromEntries(settings),
    cardholder: simulator.isAutomatic(terminal) ? 'automatic' : 'person',
    ending: lastEnding,
    papers,
  };
}

export function faultsView({ faults }: Simulator): FaultsView {
  return {
    armed: faults.armed().map(withFiniteTimes),
    struck: faults.counts(),
    kinds: FAULT_KINDS,
  };
}

/** JSON has no Infinity: 0 means "until cleared". */
function withFiniteTimes<T extends { times?: number }>(armed: T): T {
  return armed.times === Number.POSITIVE_INFINITY ? { ...armed, times: 0 } : armed;
}
