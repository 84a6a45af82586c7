import type { Changes } from '../infra/changes.js';

/**
 * The ledger: what really happened on the cardholder's account, whatever a terminal, a response or a flow reports. It
 * is append-only, and only the gateway writes to it.
 */

export type EntryKind =
  /** A sale: money from the cardholder to the merchant. */
  | 'charge'
  | 'refund'
  /** Reverses a charge, refund, capture or tip, in full or in part. */
  | 'reversal'
  | 'tip'
  | 'hold'
  /** Raises or lowers a hold. */
  | 'hold-change'
  | 'release'
  /** Charges a held amount, tip included, and releases the rest of the hold. */
  | 'capture';

export interface LedgerEntry {
  /** Counts from 1. */
  readonly seq: number;
  /** Who had it done: the client of this service, or another system of the merchant. */
  readonly by: Actor;
  /** Epoch ms. */
  readonly at: number;
  readonly kind: EntryKind;
  /** `merchant_id_alpha`. */
  readonly merchant: string;
  /** Serial number of the terminal; empty for the back office. */
  readonly serial: string;
  /** The original's `transactionReference`, shared by the whole chain. */
  readonly reference: string;
  readonly transactionId: string;
  /** `transactionID` of the transaction it refers to; empty for an original. */
  readonly originalId: string;
  readonly customerReference: string;
  readonly currency: string;
  /** Minor units from the cardholder to the merchant; negative for money that goes back. */
  readonly moved: number;
  /** Change of the amount held on the card, minor units. */
  readonly held: number;
}

export type Actor = 'client' | 'other-system';

export type NewEntry = Omit<LedgerEntry, 'seq' | 'by'>;

export class Bank {
  private readonly ledger: LedgerEntry[] = [];
  private readonly byId = new Map<string, LedgerEntry[]>();
  private actor: Actor = 'client';
  /** Who has the originals under a reference made. */
  private readonly claims = new Map<string, Actor>();

  constructor(
    private readonly changes: Changes,
    /** Releases expired holds before the ledger is read. */
    private readonly lapse: () => void,
  ) {}

  /** Appends an entry. Only the gateway calls this. */
  post(entry: NewEntry): void {
    if (!Number.isSafeInteger(entry.moved) || !Number.isSafeInteger(entry.held)) {
      throw new Error(`an entry of ${entry.moved} and ${entry.held}`);
    }
    const posted: LedgerEntry = { seq: this.ledger.length + 1, by: this.actorOf(entry), ...entry };
    this.ledger.push(posted);
    for (const id of new Set([posted.reference, posted.transactionId, posted.originalId])) {
      if (id === '') continue;
      const known = this.byId.get(id);
      if (known === undefined) this.byId.set(id, [posted]);
      else known.push(posted);
    }
    this.changes.tell();
  }

  /** Whatever `act` posts is the actor's. */
  as<T>(actor: Actor, act: () => T): T {
    this.actor = actor;
    try {
      return act();
    } finally {
      this.actor = 'client';
    }
  }

  /** The original that will be posted under this reference is the actor's. */
  claim(reference: string, actor: Actor): void {
    this.claims.set(reference, actor);
  }

  private actorOf({ reference, originalId }: NewEntry): Actor {
    return (originalId === '' ? this.claims.get(reference) : undefined) ?? this.actor;
  }

  /**
   * All entries, oldest first. With the id of a reference: its whole chain. With the id of a transaction: its own
   * entries and those that refer to it directly.
   */
  entries(id?: string): readonly LedgerEntry[] {
    this.lapse();
    return id === undefined ? this.ledger : (this.byId.get(id) ?? []);
  }

  /** The charges (sales and captures) of a reference or transaction, whether or not they were reversed later. */
  charges(id?: string): readonly LedgerEntry[] {
    return this.entries(id).filter(({ kind }) => kind === 'charge' || kind === 'capture');
  }

  /**
   * The net amount the cardholder paid, minor units: for a reference over the whole chain, for a transaction
   * including everything that refers to it.
   */
  netMoved(id?: string): number {
    return this.entries(id).reduce((sum, { moved }) => sum + moved, 0);
  }

  /** The amount that one transaction itself moved, minor units. */
  movedBy(transactionId: string): number {
    const own = this.entries(transactionId).filter((entry) => entry.transactionId === transactionId);
    return own.reduce((sum, { moved }) => sum + moved, 0);
  }

  /** The amount still held, minor units. */
  netHeld(id?: string): number {
    return this.entries(id).reduce((sum, { held }) => sum + held, 0);
  }
}
