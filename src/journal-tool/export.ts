import { redact } from '../core/base/privacy/redact.js';
import { PageFile } from '../core/journal/lmdb/check/page-file.js';
import { salvage, salvageAnnotations } from '../core/journal/lmdb/check/salvage.js';

/**
 * The records of a file, sound or damaged, and then what people said about them, as lines of JSON. Without what the flow's messages carried, which is the flow's own
 * business, and without anything that is redacted in a log.
 */
export function* exportLines(path: string): Iterable<string> {
  const file = new PageFile(path);
  try {
    file.metas();
    for (const record of salvage(file)) {
      const { message: _, ...origin } = record.origin;
      yield `${JSON.stringify(redact({ ...record, origin }))}\n`;
    }
    for (const row of salvageAnnotations(file)) yield `${JSON.stringify(redact(row))}\n`;
  } finally {
    file.close();
  }
}
