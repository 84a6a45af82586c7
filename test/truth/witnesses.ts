import type { Disk } from './disk.js';

/** All that a result can say (spec: finStatus values), in every spelling of it. */
const DESCRIBED: ReadonlySet<string> = new Set([
  'IN_PROGRESS',
  'UNDEFINED',
  'AUTHORISED',
  'DECLINED',
  'FAILED',
  'CANCELLED',
  'PARTIAL_APPROVAL',
  'PARTIALLY_APPROVED',
  'REFUNDED',
  'PROCESSED',
  'CAPTURED',
]);
const SAID = /"finStatus":"([^"]*)"/g;

/** What the service has said of each message, as far as the description does not explain it. */
export class Witnesses {
  /** Messages of which a result says something that nobody has described: it may have been an approval. */
  readonly unclear = new Set<string>();

  constructor(private readonly diskNow: () => Disk) {}

  /** @param url of the question, or of the callback */
  said(url: string, body: string): void {
    const isDescribed = [...body.matchAll(SAID)].every(([, finStatus = '']) => DESCRIBED.has(finStatus));
    if (isDescribed) return;
    for (const { kind, references, resultId, origin } of this.diskNow().durable.values()) {
      const isMeant = references.some((reference) => url.includes(reference)) || url.endsWith(`/${resultId}`);
      if (kind === 'terminal' && isMeant) this.unclear.add(String(origin.message._msgid));
    }
  }
}
