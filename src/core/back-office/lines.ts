/** What the timeline says of an operation that needs no terminal. */
export const LINES = [
  'sent',
  'sent again',
  'put off',
  'throttled',
  'answer lost',
  'not sent',
  'never begun',
  'given up',
  'refused',
  'cancelled',
  'done',
  'declined',
  'unknown',
  'looks at the chain',
  'the chain shows it',
  'the chain shows a decline',
  'the chain does not have it',
  'looks at the batch',
  'the batch is closed',
  'the batch is open',
  'watch ends',
] as const;

export type Line = (typeof LINES)[number] | `done before (${string})`;

/** What a look at the chain, or where a batch is to be closed at that batch, is called. */
const OF_BATCH: Partial<Record<Line, Line>> = {
  'looks at the chain': 'looks at the batch',
  'the chain shows it': 'the batch is closed',
  'the chain does not have it': 'the batch is open',
};

export function lineOf(line: Line, batch: string | undefined): Line {
  return batch === undefined ? line : (OF_BATCH[line] ?? line);
}
