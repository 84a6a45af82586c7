/** Every actor. A seed of the hostile world switches on a random half of them. */
export const ACTOR_NAMES = [
  'other-till-back-office',
  'other-till-same-amount',
  'other-till-terminal',
  'other-till-batch',
  'two-at-once',
  'obeys-retry',
  'burst',
  'other-currencies',
  'wrong-clock',
  'jumping-clock',
  'freezer',
  'long-downtime',
  'read-only-journal',
  'lost-folder',
  'restored-backup',
  'forger',
  'sleeper',
  'person',
  'other-till-second-charge',
  'other-till-reversal',
  'unset-clock',
  'quick-person',
] as const;

/** They come in situations alone. */
export const ACTORS_IN_SITUATIONS_ALONE: ReadonlySet<string> = new Set([
  'person',
  'other-till-second-charge',
  'other-till-reversal',
  'unset-clock',
  'quick-person',
]);

export type ActorName = (typeof ACTOR_NAMES)[number];
