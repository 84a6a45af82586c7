import { parseJson } from '../../core/base/json.js';
import { redact } from '../../core/base/privacy/redact.js';
import type { Changes } from '../infra/changes.js';

const KEPT = 500;

/** A log of the latest entries, numbered from 1. Bodies are parsed and redacted when read, which is rare. */
export class Log<Entry extends { body: string }> {
  private kept: (Entry & { seq: number })[] = [];
  private seq = 0;

  constructor(private readonly changes: Changes) {}

  add(entry: Entry): void {
    this.seq++;
    this.kept.push({ ...entry, seq: this.seq });
    if (this.kept.length > 2 * KEPT) this.kept = this.kept.slice(-KEPT);
    this.changes.tell();
  }

  /** The entries after number `seq`, oldest first. */
  latest(seq = 0): Logged<Entry>[] {
    return this.kept
      .slice(-KEPT)
      .filter((entry) => entry.seq > seq)
      .map((entry) => ({ ...entry, body: readable(entry.body) }));
  }
}

/** An entry as shown, with its body parsed and redacted. */
export type Logged<Entry> = Omit<Entry, 'body'> & { seq: number; body: unknown };

function readable(body: string): unknown {
  if (body === '') return null;
  try {
    return redact(parseJson(body));
  } catch {
    return '[unreadable]';
  }
}
