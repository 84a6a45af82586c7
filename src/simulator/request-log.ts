import { redact } from '../core/redact.js';
import { parseJson } from './checks.js';

/** One request as it was answered. */
export interface LoggedRequest {
  /** Epoch ms. */
  at: number;
  method: string;
  path: string;
  /** Redacted. */
  body: unknown;
  status: number;
}

interface Kept extends Omit<LoggedRequest, 'body'> {
  body: string;
}

const KEPT = 500;

/** The latest requests. Bodies are redacted when they are looked at, which is seldom. */
export class RequestLog {
  private kept: Kept[] = [];

  add(entry: Kept): void {
    this.kept.push(entry);
    if (this.kept.length > 2 * KEPT) this.kept = this.kept.slice(-KEPT);
  }

  /** Oldest first. */
  latest(): LoggedRequest[] {
    return this.kept.slice(-KEPT).map((entry) => ({ ...entry, body: readable(entry.body) }));
  }
}

function readable(body: string): unknown {
  if (body === '') return null;
  const parsed = parseJson(body);
  return parsed === undefined ? '[unreadable]' : redact(parsed);
}
