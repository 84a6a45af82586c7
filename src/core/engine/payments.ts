import type { Engine } from './engine.js';

/** The payments of one environment: the engine that drives them, or a door to it in a process that does not lead. */
export type Payments = Pick<
  Engine,
  | 'client'
  | 'start'
  | 'stop'
  | 'submit'
  | 'submitBackOffice'
  | 'attach'
  | 'subscribe'
  | 'releaseUnclaimed'
  | 'find'
  | 'holder'
  | 'balance'
  | 'whole'
  | 'recent'
  | 'open'
  | 'annotations'
  | 'annotate'
  | 'observe'
  | 'cancelTarget'
  | 'callback'
  | 'unanswered'
> & {
  /** Probes at once instead of later. False when the operation is not under way. */
  checkNow(operationId: string): boolean | Promise<boolean>;
};
