import type { OperationRecord } from '../../journal/record.js';
import type { Library } from '../library.js';

/** The newest operations, which may be over before anybody has looked. */
const NEWEST = 50;

/** Finds what another process has changed in the journal, for whoever is looking at the operations here. */
export class ChangeWatch {
  /** By operation. */
  private seen = new Map<string, string>();

  constructor(
    private readonly library: Pick<Library, 'open' | 'recent' | 'find'>,
    private readonly publish: (record: OperationRecord) => void,
  ) {}

  /** Nobody looks any more. */
  rest(): void {
    this.seen.clear();
  }

  /** @throws JournalError */
  async look(): Promise<void> {
    const [open, newest] = await Promise.all([this.library.open(), this.library.recent(NEWEST)]);
    const found = new Map([...open, ...newest].map((record) => [record.operationId, record]));
    for (const id of this.seen.keys()) {
      const [closed] = found.has(id) ? [] : await this.library.find({ operationId: id }, 1);
      if (closed !== undefined) this.publish(closed);
    }
    const before = this.seen;
    this.seen = new Map([...found].map(([id, record]) => [id, versionOf(record)]));
    for (const [id, version] of this.seen) {
      const record = found.get(id);
      if (record !== undefined && before.get(id) !== version) this.publish(record);
    }
  }
}

function versionOf({ updatedAt, timeline, state }: OperationRecord): string {
  return `${updatedAt} ${timeline.length} ${state.phase} ${state.reported}`;
}
