import { RESEND_FOR, RETRY_FOR } from '../../base/timings.js';
import type { BackOfficeOperation } from '../../operation/back-office-order.js';

/** What a lost answer means for each operation, and how the truth is found (spec: Recovery procedure, 6; Back-office error codes). */
export interface Rule {
  /** Nothing moves: it is simply asked again, and needs no proof. */
  read?: true;
  /**
   * How long after its first sending it may be sent again after a lost answer, ms: doing it twice is doing it once. Absent
   * where it adds up. What replaces an amount or gives money back may undo what somebody else did since, so that time is short.
   */
  resendFor?: number;
  /** Refusals of a second try that mean that it is done, by the first one or by somebody else, which is as good. */
  doneBefore: readonly string[];
  /**
   * What the chain showed before it was sent is needed to tell whether it arrived. Where doing it twice is doing it once a
   * glance will do; what adds up is compared with a chain in which nothing is on its way any more.
   * Of a batch its number is noted, so that its summary can be asked for.
   */
  baseline?: 'glance' | 'settled' | 'batch';
  /** Refusals of the first try that mean that it is done: by somebody else, or by the try itself if they answer a copy of it. */
  refusalsOfDone?: readonly string[];
  /** A 200 that declines is not how the service describes a refusal here: the chain has to agree. */
  checksDecline?: true;
}

/** 3051 means released or reversed by whomever, and of whatever amount, and after a reversal 3153 finds nothing to reverse: the chain has to say. */
const REVERSAL: Rule = {
  resendFor: RESEND_FOR,
  doneBefore: [],
  refusalsOfDone: ['3051', '3052', '3153'],
  baseline: 'glance',
  checksDecline: true,
};

export const RULES: Readonly<Record<BackOfficeOperation, Rule>> = {
  reversal: REVERSAL,
  'moto/reversal': REVERSAL,
  // 3052 and 3211 say as little of who captured what.
  'preauthorization/capture': {
    resendFor: RESEND_FOR,
    doneBefore: [],
    refusalsOfDone: ['3052', '3211'],
    baseline: 'glance',
    checksDecline: true,
  },
  'tip-adjustment': { resendFor: RESEND_FOR, doneBefore: [], baseline: 'glance', checksDecline: true },
  // 3212: a decrease that is done already would take the rest of the hold.
  'preauthorization/increase': { doneBefore: [], refusalsOfDone: ['3212'], baseline: 'settled', checksDecline: true },
  'moto/sale': { doneBefore: [] },
  'moto/refund': {
    doneBefore: [],
    refusalsOfDone: ['3209'],
    baseline: 'settled',
    checksDecline: true,
  },
  'batch/close': { resendFor: RETRY_FOR, doneBefore: ['BATCH_ALREADY_CLOSED'], baseline: 'batch' },
  token: { read: true, resendFor: RETRY_FOR, doneBefore: [] },
  'batch/summary': { read: true, resendFor: RETRY_FOR, doneBefore: [] },
  'batch/detail': { read: true, resendFor: RETRY_FOR, doneBefore: [] },
};
