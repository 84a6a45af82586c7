import { REFUNDED_BEFORE } from '../../operation/verdict.js';
import { verdictOf } from '../../operation/verdict-of.js';
import { all, any, not } from '../guard.js';
import { fixed } from '../verdict-source.js';
import type { BackOfficeTransition } from './groups.js';
import {
  answerWasLost,
  givesTooMuch,
  isFirstTry,
  isLeaving,
  isMeantForAnother,
  isStale,
  isUnasked,
  isUnsent,
  stopWanted,
} from './guards.js';
import { leaveNow, startTry, waitForLimit } from './updates.js';
import { neverStarted } from './verdicts.js';

/** From the record to the first request, or to the end without one. */
export const BEGINNING: readonly BackOfficeTransition[] = [
  {
    id: 'never-started',
    from: ['preparing', 'retrying'],
    on: ['turn', 'ready', 'tick', 'restored'],
    when: any(all(isUnsent, isStale, not(isUnasked)), isMeantForAnother),
    to: 'closed',
    effects: ['save', 'deliver'],
    verdict: neverStarted,
    because: 'Nothing was sent, and the person who asked for it is gone, or it was meant for another merchant.',
  },
  {
    id: 'turn-came',
    from: ['preparing'],
    on: ['turn'],
    to: 'preparing',
    effects: ['prepare'],
    because: 'What the chain shows before it is sent is needed to tell what it did.',
  },
  {
    id: 'cancelled-before-sending',
    from: ['preparing', 'retrying'],
    on: ['cancel', 'ready'],
    when: all(isUnsent, stopWanted, not(isUnasked)),
    to: 'closed',
    effects: ['save', 'deliver'],
    verdict: fixed(verdictOf('sale', 'cancelled'), 'answer'),
    because: 'The engine sent nothing, or the service refused it: certainly nothing was done.',
  },
  {
    id: 'refunded-before',
    from: ['preparing'],
    on: ['ready'],
    when: all(isUnsent, givesTooMuch),
    to: 'closed',
    effects: ['save', 'deliver'],
    verdict: fixed(REFUNDED_BEFORE, 'status'),
    because:
      'The chain shows that something went back, and nobody says that the service heeds that: more would come back than was taken.',
  },
  {
    id: 'sent',
    from: ['preparing'],
    on: ['ready'],
    when: isFirstTry,
    to: 'sending',
    updates: startTry,
    effects: ['save', 'post'],
    because: 'The record says "sending" before the request leaves.',
  },
  {
    id: 'sent-after-postponement',
    from: ['preparing'],
    on: ['ready'],
    to: 'sending',
    updates: startTry,
    effects: ['new-attempt', 'save', 'post'],
    because: 'The engine before this one stopped while the request waited for the rate limit.',
  },
  {
    id: 'waiting-for-rate-limit',
    from: ['sending'],
    on: ['waiting-for-rate-limit'],
    when: not(answerWasLost),
    to: 'preparing',
    updates: waitForLimit,
    effects: ['save'],
    because: 'The request waits for the rate limit. A process that dies now has certainly not sent it.',
  },
  {
    id: 'let-through',
    from: ['preparing'],
    on: ['leaving'],
    when: isLeaving,
    to: 'sending',
    updates: leaveNow,
    effects: ['save'],
    because: 'The record says "sending" before the request leaves, and not before it may.',
  },
];
