import type { Payments } from '../../../core/engine/payments.js';
import type { OperationRecord } from '../../../core/journal/record.js';

type Source = Pick<Payments, 'recent'>;

/** Each environment is asked for more than its share at once, because they are never equally busy. */
const SHARE = 1.5;

/** What one environment has given so far. */
interface Taken {
  source: Source;
  records: OperationRecord[];
  asked: number;
}

/**
 * The newest operations of several environments together. Each is asked for its share, and for more only while the page needs
 * more of it, because reading a record takes a while.
 * @param until epoch ms: only operations created then or before
 */
export async function newestOf(sources: readonly Source[], limit: number, until?: number): Promise<OperationRecord[]> {
  if (sources.length === 0) return [];
  const share = Math.min(limit, Math.ceil((limit * SHARE) / sources.length));
  const all = await Promise.all(sources.map((source) => take({ source, records: [], asked: 0 }, share, until)));
  for (;;) {
    const page = all.flatMap(({ records }) => records).sort((a, b) => b.createdAt - a.createdAt);
    const isShort = page.length < limit;
    const oldest = page.slice(0, limit).at(-1)?.createdAt ?? 0;
    // What an environment has not given yet is older than all it gave.
    const lacking = all.filter(({ records, asked }) => {
      const isExhausted = records.length < asked;
      return !isExhausted && asked < limit && (isShort || (records.at(-1)?.createdAt ?? 0) > oldest);
    });
    if (lacking.length === 0) return page.slice(0, limit);
    await Promise.all(lacking.map((taken) => take(taken, Math.min(limit, taken.asked * 2), until)));
  }
}

async function take(taken: Taken, count: number, until: number | undefined): Promise<Taken> {
  taken.records = await taken.source.recent(count, until);
  taken.asked = count;
  return taken;
}
