/** What a seed decides about several processes that share a journal. Times in ms from the beginning. */

/** Whom a strike hits: the process that leads then, or one of the others. */
export type Victim = 'leader' | 'door';

export type Strike =
  | { at: number; kind: 'crash'; victim: Victim; ms: number }
  /** The process stands still, and goes on. */
  | { at: number; kind: 'freeze'; victim: Victim; ms: number }
  /** The network between a process and the database is cut. */
  | { at: number; kind: 'cut'; victim: Victim; ms: number; isSilent: boolean }
  /** Nobody reaches the database. */
  | { at: number; kind: 'database away'; ms: number; isSilent: boolean }
  /** The flows are deployed: the process closes its journal, and opens it again. */
  | { at: number; kind: 'deploy'; victim: Victim; ms: number }
  /** The process ends in order, and another one starts. */
  | { at: number; kind: 'restart'; victim: Victim; ms: number };

export const STRIKE_KINDS = ['crash', 'freeze', 'cut', 'deploy', 'restart'] as const;

/** What can happen to a fleet, as the coverage of many seeds counts it. */
export const STRIKES: readonly string[] = [
  ...['leader crashes', 'leader crashes at a step', 'door crashes', 'door crashes at a step'],
  ...STRIKE_KINDS.filter((kind) => kind !== 'crash').flatMap((kind) => [`leader: ${kind}`, `door: ${kind}`]),
  ...[
    'database away',
    'database call lost',
    'database call late',
    'database answer lost',
    'commit unknown',
    'notification lost',
  ],
  ...['door closed while its order is on its way'],
  ...['clocks apart', 'taken over', 'order at the leader', 'order at a door', 'cancel at a door', 'check'],
  ...['callback at the leader', 'callback at a door', 'callback twice'],
];

export interface Unheard {
  order: number;
  after: number;
  away: Extract<Strike, { kind: 'database away' }>;
  closedAfter: number;
  closes: 'deploy' | 'restart';
  closedFor: number;
}

export interface Fleet {
  engines: number;
  strikes: Strike[];
  /** What strikes the process that leads right when the journal has a certain transition, and before the process hears of it. */
  timely: { transition: number; strike: Strike } | undefined;
  /** What strikes right when a message is told something for the first time, and before the process notes that. */
  firstTelling?: Strike;
  /**
   * The database goes away while a certain order of a door is on its way to the leader, and the flows of that door are deployed, or
   * its process is restarted, before it is back. Times in ms: from the order, and from there.
   */
  unheard: Unheard | undefined;
  /** How far the clock of each machine is ahead, ms. */
  skews: number[];
  /** What the way to the database takes at most, and back, ms. */
  latency: number;
  /** How likely a call of the database is lost on its way, its answer, and a notification. */
  lost: { call: number; answer: number; notification: number };
  /** How likely a callback comes to two processes. */
  twice: number;
}
