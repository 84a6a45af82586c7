import type { RepeatRecord } from '../../record.js';
import { bytesOfKey, type Databases } from '../file/databases.js';
import { checkedJson, valueIn } from './checked-json.js';

/** A sound row that does not lie under its own key. */
interface Misplaced {
  repeat: RepeatRecord;
  key: Buffer;
}

/**
 * The messages that repeat an order: every one as `checked-json.ts` writes it, by environment, time and id. Its writes belong
 * into a transaction of the store. Each waits for a verdict of its first, so there are few.
 *
 * Keys are taken as the bytes that they are in the file: a damaged one may be no text, and could not be removed by what LMDB
 * would make of it.
 */
export class RepeatRows {
  private readonly reported = new Set<string>();
  /** By what lies in their place. They go with the next change of the message that they are. */
  private readonly misplaced = new Map<string, Misplaced>();
  /** The first that each message waits for, by the id of the message. Unknown until somebody asks. */
  private firsts: Map<string, string> | undefined;

  /** @param report called once for each row that is damaged */
  constructor(
    private readonly rows: Databases['repeats'],
    private readonly report: (damage: string) => void,
  ) {}

  put(repeat: RepeatRecord): void {
    this.removeMisplaced(repeat);
    this.rows.putSync(keyOf(repeat), checkedJson(repeat));
    // Where the transaction fails, its first is kept until the next start.
    this.firsts?.set(repeat.id, repeat.first);
  }

  /** The row of a message is gone for certain. */
  noteRemoved({ id }: RepeatRecord): void {
    this.firsts?.delete(id);
  }

  /** Whether a message waits for what became of an operation. */
  isAwaited(operationId: string): boolean {
    this.firsts ??= new Map(
      [...this.rows.getRange()].flatMap(({ key, value }) => {
        const repeat = this.soundOrReport(key, value);
        return repeat === undefined ? [] : [[repeat.id, repeat.first] as const];
      }),
    );
    return [...this.firsts.values()].includes(operationId);
  }

  remove(repeat: RepeatRecord): void {
    this.removeMisplaced(repeat);
    this.rows.removeSync(keyOf(repeat));
  }

  /** Oldest first, wherever they lie. A damaged one is reported, and left out. */
  of(environment: string): RepeatRecord[] {
    // Also a row whose key names another environment may be meant, so all are looked at.
    const found = new Map<string, RepeatRecord>();
    for (const { key, value } of this.rows.getRange()) {
      const repeat = this.soundOrReport(key, value);
      if (repeat?.environment !== environment) continue;
      // A second copy of a row that is there says nothing new.
      if (isPlaceOf(key, repeat) || !found.has(repeat.id)) found.set(repeat.id, repeat);
    }
    return [...found.values()].sort((a, b) => a.createdAt - b.createdAt);
  }

  /** Looks at one row after the other: reports every one that is damaged, or lies under the key of another. */
  *check(): Generator<void, void, void> {
    for (const { key, value } of this.rows.getRange({ snapshot: false })) {
      this.soundOrReport(key, value);
      yield;
    }
  }

  /** The message that a row is, where it is sound. One under the key of another is reported too, and kept in mind. */
  private soundOrReport(key: Buffer, value: string): RepeatRecord | undefined {
    const repeat = valueIn<RepeatRecord>(value);
    if (repeat?.kind !== 'repeat') {
      this.reportOnce(`a message in the journal that repeats an order is damaged, and is not answered: ${textOf(key)}`);
      return undefined;
    }
    if (isPlaceOf(key, repeat)) return repeat;
    this.misplaced.set(key.toString('hex'), { repeat, key });
    this.reportOnce(
      `a message in the journal that repeats an order lies under a damaged key, and is answered all the same: ${repeat.id}`,
    );
    return repeat;
  }

  private removeMisplaced({ id }: RepeatRecord): void {
    // They stay in mind: the transaction may fail, and nothing else ever lies there.
    for (const { repeat, key } of this.misplaced.values()) if (repeat.id === id) this.rows.removeSync(key);
  }

  private reportOnce(damage: string): void {
    if (!this.reported.has(damage)) this.report(damage);
    this.reported.add(damage);
  }
}

function keyOf({ environment, createdAt, id }: RepeatRecord): Buffer {
  return bytesOfKey([environment, createdAt, id]);
}

function isPlaceOf(key: Buffer, repeat: RepeatRecord): boolean {
  return key.equals(keyOf(repeat));
}

/** What of a key can be read. */
function textOf(key: Buffer): string {
  return key.toString('latin1').replace(/[^!-~]+/g, ' ');
}
