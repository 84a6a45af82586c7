import type { BackOfficeOperation } from '../../operation/back-office-order.js';

/** What a lost answer means for each operation, and how the truth is found (spec: Recovery procedure, 6; Back-office error codes). */
export interface Rule {
  /** Nothing moves: it is simply asked again, and needs no proof. */
  read?: true;
  /** May be sent again after a lost answer: doing it twice is doing it once. */
  resend: boolean;
  /** Refusals of a second try that mean that the first one worked, or that somebody else did the same. */
  doneBefore: readonly string[];
  /**
   * What the chain showed before it was sent is needed to tell whether it arrived. Where doing it twice is doing it once a
   * glance will do; what adds up is compared with a chain in which nothing is on its way any more.
   * Of a batch its number is noted, so that its summary can be asked for.
   */
  baseline?: 'glance' | 'settled' | 'batch';
}

export const RULES: Readonly<Record<BackOfficeOperation, Rule>> = {
  reversal: { resend: true, doneBefore: ['3051'], baseline: 'glance' },
  'moto/reversal': { resend: true, doneBefore: ['3051'], baseline: 'glance' },
  // 3052 and 3211 mean captured by whomever, and of whatever amount: the chain has to say.
  'preauthorization/capture': { resend: true, doneBefore: [], baseline: 'glance' },
  'tip-adjustment': { resend: true, doneBefore: [] },
  'preauthorization/increase': { resend: false, doneBefore: [], baseline: 'settled' },
  'moto/sale': { resend: false, doneBefore: [] },
  'moto/refund': { resend: false, doneBefore: [], baseline: 'settled' },
  'batch/close': { resend: true, doneBefore: ['BATCH_ALREADY_CLOSED'], baseline: 'batch' },
  token: { read: true, resend: true, doneBefore: [] },
  'batch/summary': { read: true, resend: true, doneBefore: [] },
  'batch/detail': { read: true, resend: true, doneBefore: [] },
};
