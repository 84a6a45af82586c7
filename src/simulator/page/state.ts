import type { FaultsView, TerminalView, View } from '../control/view.js';
import type { LedgerEntry } from '../gateway/bank.js';
import type { LoggedCallback, LoggedRequest } from '../wire/log-entries.js';
import type { WalletCard } from './cardholder/wallet-cards.js';

const ROWS_KEPT = 300;

/** The state of the page, built up from the views it receives. */
export class State {
  terminals: readonly TerminalView[] = [];
  faults: FaultsView = { armed: [], struck: {}, kinds: [] };
  ledger: readonly LedgerEntry[] = [];
  requests: readonly LoggedRequest[] = [];
  callbacks: readonly LoggedCallback[] = [];
  isConnected = false;
  /** Serial number of the selected terminal. */
  selected = '';
  /** The last view brought another terminal into sight, because a payment began there. */
  hasMovedOn = false;
  /** The selected card. */
  card: WalletCard;
  /** The card in the chip slot of each terminal. */
  readonly inserted = new Map<string, WalletCard>();
  /** By terminal, the number of the last printout that was torn off. */
  readonly tornOff = new Map<string, number>();
  /** How far the simulator's clock is ahead of the browser's, ms. */
  private ahead = 0;
  private startedAt = 0;

  constructor(card: WalletCard) {
    this.card = card;
  }

  get terminal(): TerminalView | undefined {
    return this.terminals.find(({ serial_number }) => serial_number === this.selected) ?? this.terminals[0];
  }

  /** The simulator's time, epoch ms. */
  now(): number {
    return Date.now() + this.ahead;
  }

  take(view: View): void {
    if (view.startedAt !== this.startedAt) this.begin(view);
    this.isConnected = true;
    this.ahead = view.now - Date.now();
    this.follow(view.terminals);
    this.terminals = view.terminals;
    this.faults = view.faults;
    this.ledger = joined(this.ledger, view.ledger);
    this.requests = joined(this.requests, view.requests);
    this.callbacks = joined(this.callbacks, view.callbacks);
    for (const { serial_number, screen } of view.terminals) {
      if (screen.stage === 'idle' || screen.stage === 'off') this.inserted.delete(serial_number);
      if (screen.stage === 'remove-card' && !this.inserted.has(serial_number)) {
        this.inserted.set(serial_number, this.card);
      }
    }
  }

  /** Selects the terminal that became active, unless something goes on at the selected one. */
  private follow(terminals: readonly TerminalView[]): void {
    const before = new Map(this.terminals.map((one) => [one.serial_number, isAtWork(one)]));
    const selected = terminals.find(({ serial_number }) => serial_number === this.terminal?.serial_number);
    const began = terminals.find((one) => isAtWork(one) && before.get(one.serial_number) !== true);
    this.hasMovedOn = began !== undefined && began !== selected && (selected === undefined || !isAtWork(selected));
    if (began !== undefined && this.hasMovedOn) this.selected = began.serial_number;
  }

  /** Starts over for another simulator, or another run of the same one: its logs begin again. */
  private begin({ startedAt, terminals }: View): void {
    this.startedAt = startedAt;
    this.ledger = [];
    this.requests = [];
    this.callbacks = [];
    this.inserted.clear();
    for (const { serial_number, papers } of terminals) {
      this.tornOff.set(serial_number, papers.at(-1)?.seq ?? 0);
    }
  }
}

function isAtWork({ screen }: TerminalView): boolean {
  return screen.stage !== 'idle' && screen.stage !== 'off';
}

/** Appends the new entries. Views can overlap, so known ones are skipped. */
function joined<Entry extends { seq: number }>(known: readonly Entry[], more: readonly Entry[]): readonly Entry[] {
  const last = known.at(-1)?.seq ?? 0;
  const fresh = more.filter(({ seq }) => seq > last);
  return fresh.length === 0 ? known : [...known, ...fresh].slice(-ROWS_KEPT);
}
