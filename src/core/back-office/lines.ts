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
  'watch ends',
] as const;

export type Line = (typeof LINES)[number] | `done before (${string})`;
