import { redact } from '../core/base/privacy/redact.js';
import { liveRecords } from '../core/journal/lmdb/check/live-records.js';
import { PageFile } from '../core/journal/lmdb/check/page-file.js';
import { salvage, salvageAnnotations } from '../core/journal/lmdb/check/salvage.js';

/**
 * The records of a file, sound or damaged, and then what people said about them, as lines of JSON. Without what the flow's
 * messages carried, which is the flow's own business, and without anything that is redacted in a log. A record whose latest
 * version is damaged is an earlier one with `perhapsOutdated`.
 * @param warn called with what a reader of the lines has to know
 */
export function* exportLines(path: string, warn: (text: string) => void = () => undefined): Iterable<string> {
  const file = new PageFile(path);
  try {
    file.metas();
    const live = liveRecords(file);
    const lost: number[] = [];
    const outdated: number[] = [];
    // Where the structure is sound, a record that it does not lead to was pruned.
    const onLost = (sequence: number) => (live?.has(sequence) ?? true) && lost.push(sequence);
    for (const { record, isOutdated } of salvage(file, onLost)) {
      const { message: _, ...origin } = record.origin;
      const mark = isOutdated ? { perhapsOutdated: true } : {};
      if (isOutdated) outdated.push(record.sequence ?? 0);
      yield `${JSON.stringify(redact({ ...mark, ...record, origin }))}\n`;
    }
    for (const row of salvageAnnotations(file)) yield `${JSON.stringify(redact(row))}\n`;
    if (live === undefined)
      warn('the structure of the file is damaged: records may be missing, and of others an earlier version printed');
    if (outdated.length > 0)
      warn(`the latest version is damaged, an earlier one printed with "perhapsOutdated": records ${ranges(outdated)}`);
    if (lost.length > 0)
      warn(
        `damaged${live === undefined ? ', or deleted in their time' : ''}, and not printed: records ${ranges(lost)}`,
      );
  } finally {
    file.close();
  }
}

/** @param numbers in order */
function ranges(numbers: readonly number[]): string {
  const found: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.to === number - 1) last.to = number;
    else found.push({ from: number, to: number });
  }
  return found.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)).join(', ');
}
