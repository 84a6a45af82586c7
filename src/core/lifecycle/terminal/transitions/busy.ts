import { NO_WITNESS, ONLY_CALLBACK } from '../../../operation/verdict.js';
import { all, any, not } from '../../guard.js';
import {
  attemptsLeftNothing,
  hasNoWitness,
  isBusy,
  isFree,
  isLast,
  isPayment,
  isTraceable,
  pauseIsOver,
} from '../guards.js';
import { listen, watchUnseen } from '../updates.js';
import { busyUnprovenVerdict, fixed, givenUpVerdict } from '../verdicts.js';

import type { TerminalTransition } from './types.js';

/** The flow waits no longer for a busy terminal: what it hears rests on who can say whether an attempt of ours has begun. */
export const BUSY: readonly TerminalTransition[] = [
  {
    id: 'stayed-busy',
    from: ['pausing'],
    on: ['tick', 'restored', 'gateway'],
    when: all(isBusy, isLast, pauseIsOver, attemptsLeftNothing, any(isFree, not(isPayment))),
    to: 'closed',
    effects: ['save', 'deliver'],
    verdict: givenUpVerdict,
    because: 'Busy until the wait was over; by now nothing runs there, and no attempt of ours has left a record.',
  },
  {
    id: 'busy-without-witness',
    from: ['pausing'],
    on: ['tick', 'restored', 'gateway'],
    when: all(isBusy, isLast, pauseIsOver, hasNoWitness),
    to: 'watching',
    updates: watchUnseen,
    effects: ['save', 'deliver'],
    verdict: fixed(NO_WITNESS, 'answer'),
    because: 'What keeps the terminal busy may be an attempt of ours that arrived twice, and nobody could ever say so.',
  },
  {
    id: 'busy-untraceable',
    from: ['pausing'],
    on: ['tick', 'restored', 'gateway'],
    when: all(isBusy, isLast, pauseIsOver, isPayment, not(isTraceable)),
    to: 'listening',
    updates: listen,
    effects: ['save', 'deliver'],
    verdict: fixed(ONLY_CALLBACK, 'answer'),
    because:
      'What keeps the terminal busy may be an attempt of ours that arrived twice. Only its callback would say so, which may get lost: that none comes proves nothing.',
  },
  {
    id: 'busy-unproven',
    from: ['pausing'],
    on: ['tick', 'restored', 'gateway'],
    when: all(isBusy, isLast, pauseIsOver, attemptsLeftNothing),
    to: 'listening',
    updates: listen,
    effects: ['save', 'deliver'],
    verdict: busyUnprovenVerdict,
    because:
      'What keeps the terminal busy may still be an attempt of ours that arrived twice: nothing shows of it yet.',
  },
];
