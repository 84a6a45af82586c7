import type { Changes } from '../infra/changes.js';

/**
 * The true money. An append-only ledger that nobody but the gateway writes: whatever a terminal, an answer or a flow
 * says, this is what happened on the cardholder's account.
 */

export type EntryKind =
  /** A sale: money from the cardholder to the merchant. */
  | 'charge'
  | 'refund'
  /** Takes back a charge, refund, capture or tip, wholly or in part. */
  | 'reversal'
  | 'tip'
  | 'hold'
  /** More or less held. */
  | 'hold-change'
  | 'release'
  /** What is taken from a hold, tip included; the rest of the hold is released. */
  | 'capture';

export interface LedgerEntry {
  /** Counts from 1. */
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
  readonly kind: EntryKind;
  /** `merchant_id_alpha`. */
  readonly merchant: string;
  /** Of the terminal; empty for what came over the back office. */
  readonly serial: string;
  /** Of the chain: the original's `transactionReference`. */
  readonly reference: string;
  readonly transactionId: string;
  /** What it refers to; empty for an original. */
  readonly originalId: string;
  readonly customerReference: string;
  readonly currency: string;
  /** Minor units from the cardholder to the merchant; negative when money goes back. */
  readonly moved: number;
  /** Change of what is held on the card, minor units. */
  readonly held: number;
}

export type NewEntry = Omit<LedgerEntry, 'seq'>;

export class Bank {
  private readonly ledger: LedgerEntry[] = [];
  private readonly byId = new Map<string, LedgerEntry[]>();

  constructor(
    private readonly changes: Changes,
    /** Brings what changes by itself up to date before anybody looks. */
    private readonly lapse: () => void,
  ) {}

  /** For the gateway alone. */
  post(entry: NewEntry): void {
    if (!Number.isSafeInteger(entry.moved) || !Number.isSafeInteger(entry.held)) {
      throw new Error(`an entry of ${entry.moved} and ${entry.held}`);
    }
    const posted: LedgerEntry = { seq: this.ledger.length + 1, ...entry };
    this.ledger.push(posted);
    for (const id of new Set([posted.reference, posted.transactionId, posted.originalId])) {
      if (id === '') continue;
      const known = this.byId.get(id);
      if (known === undefined) this.byId.set(id, [posted]);
      else known.push(posted);
    }
    this.changes.tell();
  }

  /**
   * Every entry, oldest first; or those of one id: of a reference the whole chain, of a transaction its own and those
   * that refer to it directly.
   */
  entries(id?: string): readonly LedgerEntry[] {
    this.lapse();
    return id === undefined ? this.ledger : (this.byId.get(id) ?? []);
  }

  /** The charges (sales and captures) of a reference or transaction, whether or not they were reversed later. */
  charges(id?: string): readonly LedgerEntry[] {
    return this.entries(id).filter(({ kind }) => kind === 'charge' || kind === 'capture');
  }

  /** What the cardholder has paid in the end, minor units: of a reference the whole chain, of a transaction with what refers to it. */
  netMoved(id?: string): number {
    return this.entries(id).reduce((sum, { moved }) => sum + moved, 0);
  }

  /** What one transaction moved by itself, whatever refers to it; minor units. */
  movedBy(transactionId: string): number {
    const own = this.entries(transactionId).filter((entry) => entry.transactionId === transactionId);
    return own.reduce((sum, { moved }) => sum + moved, 0);
  }

  /** What is still held, minor units. */
  netHeld(id?: string): number {
    return this.entries(id).reduce((sum, { held }) => sum + held, 0);
  }
}
