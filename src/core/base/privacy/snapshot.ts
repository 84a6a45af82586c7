import { isRedacted, REDACTED, redactedField, withoutSecrets } from './redact.js';

/** Properties that belong to the running process: the open HTTP request, its response and its socket. */
const LIVE_PROPERTIES = new Set(['req', 'res', '__proto__']);
const DEFAULT_MAX_BYTES = 64 * 1024;
/** A name is counted twice, and a character of it takes up to 6 bytes. */
const MOST_BYTES = 12;
/** Quotes, commas, and what stands around all names. */
const PUNCTUATION = 64;
const MAX_DEPTH = 32;
const MAX_VALUES = 50_000;

interface Options {
  maxBytes?: number;
  /** What the message must not hold, whatever the name of its property. */
  secret?: string;
}

/**
 * A JSON-safe copy of a message without secrets and card data, from which the message is restored after a restart. It
 * leaves out `req` and `res`, functions, cycles, unreadable properties, and the largest properties until the rest
 * fits into `maxBytes` of JSON. `_dropped` lists the properties left out, `_redacted` those that held a secret or a
 * possible card number. `_msgid` is always kept. Never throws.
 */
export function snapshot(
  message: object,
  { maxBytes = DEFAULT_MAX_BYTES, secret }: Options = {},
): Record<string, unknown> {
  const texts = new Map<string, string>();
  const dropped: string[] = [];
  const redacted: string[] = [];
  for (const name of namesOf(message)) {
    const text = LIVE_PROPERTIES.has(name) ? undefined : jsonOf(message, name, secret);
    if (text === undefined) dropped.push(name);
    else texts.set(name, text);
    if (text !== undefined && isRedacted(text)) redacted.push(name);
  }
  if (mayExceed(texts, dropped, maxBytes)) dropLargest(texts, dropped, maxBytes);
  const copy: Record<string, unknown> = {};
  for (const [name, text] of texts) copy[name] = JSON.parse(text);
  if (dropped.length > 0) copy._dropped = dropped;
  if (redacted.length > 0) copy._redacted = redacted.filter((name) => name in copy);
  return copy;
}

function namesOf(message: object): string[] {
  try {
    return Object.keys(message);
  } catch {
    return [];
  }
}

/** The JSON text of one property; undefined if it has none or cannot be read. */
function jsonOf(message: object, name: string, secret: string | undefined): string | undefined {
  try {
    const value: unknown = Reflect.get(message, name);
    const plain = new PlainCopy(secret).of(value, []);
    return JSON.stringify(redactedField(name, plain));
  } catch {
    return undefined;
  }
}

/** Whether names and values can be that long at all. Nearly every message is small, and needs no closer look. */
function mayExceed(texts: ReadonlyMap<string, string>, dropped: readonly string[], maxBytes: number): boolean {
  let most = PUNCTUATION;
  for (const [name, text] of texts) most += MOST_BYTES * (name.length + text.length) + 2 * PUNCTUATION;
  for (const name of dropped) most += MOST_BYTES * name.length + PUNCTUATION;
  return most > maxBytes;
}

function dropLargest(texts: Map<string, string>, dropped: string[], maxBytes: number): void {
  const sizes = [...texts]
    .filter(([name]) => name !== '_msgid')
    .map(([name, text]) => ({ name, bytes: size(name, text) }));
  sizes.sort((a, b) => b.bytes - a.bytes);
  const rest = JSON.stringify({ _msgid: '', _dropped: [...dropped, ...texts.keys()] });
  let total = sizes.reduce((sum, { bytes }) => sum + bytes, size('_msgid', texts.get('_msgid') ?? '') + rest.length);
  for (const { name, bytes } of sizes) {
    if (total <= maxBytes) return;
    total -= bytes;
    texts.delete(name);
    dropped.push(name);
  }
}

function size(name: string, text: string): number {
  return Buffer.byteLength(JSON.stringify(name)) + Buffer.byteLength(text) + 2;
}

/** Copies JSON-safe values, within limits: some messages refer to whole servers. */
class PlainCopy {
  private values = 0;

  constructor(private readonly secret: string | undefined) {}

  of(value: unknown, above: readonly unknown[]): unknown {
    this.values++;
    if (this.values > MAX_VALUES || above.length > MAX_DEPTH) throw new RangeError('too large');
    if (typeof value === 'string') return this.shown(value);
    if (typeof value === 'number' && String(value) === this.secret) return REDACTED;
    if (typeof value === 'bigint') return this.shown(String(value));
    if (typeof value === 'function' || typeof value === 'symbol') return undefined;
    if (value === null || typeof value !== 'object') return value;
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    if (above.includes(value)) return undefined;
    return this.ofObject(value, [...above, value]);
  }

  private ofObject(value: object, above: readonly unknown[]): unknown {
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.of(value.toJSON(), above);
    if (Array.isArray(value)) return value.map((element) => this.of(element, above));
    const copy: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) {
      if (name !== '__proto__') copy[this.shown(name)] = this.of(field, above);
    }
    return copy;
  }

  /** A short secret may be a part of any word, so it is replaced only where it is the whole text. */
  private shown(text: string): string {
    if (this.secret === undefined) return text;
    return text === this.secret ? REDACTED : withoutSecrets(text, [this.secret]);
  }
}
