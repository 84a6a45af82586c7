import { all, any, not } from '../guard.js';
import type { BackOfficeTransition } from './groups.js';
import { isRead, isThere, isTraceable, isUnsent, mayBeBackup, staysUnasked } from './guards.js';
import { lostUnsent, lostUnsentForGood } from './updates.js';
import { unknown } from './verdicts.js';

/** The journal may be a backup, or the chain already shows what it calls unsent: the process that went on after it may have sent it. */
export const BACKUP: readonly BackOfficeTransition[] = [
  {
    id: 'perhaps-sent',
    from: ['preparing', 'retrying'],
    on: ['restored', 'ready'],
    when: all(any(mayBeBackup, isThere, staysUnasked), isUnsent, not(isRead), isTraceable),
    to: 'reconciling',
    updates: lostUnsent,
    effects: ['save'],
    because:
      'The journal calls it unsent, but may be a backup, or the chain already shows it or cannot be asked: the chain decides, and nothing is sent again.',
  },
  {
    id: 'perhaps-sent-untraceable',
    from: ['preparing', 'retrying'],
    on: ['restored'],
    when: all(mayBeBackup, isUnsent, not(isRead)),
    to: 'watching',
    updates: lostUnsentForGood,
    effects: ['save', 'deliver'],
    verdict: unknown,
    because: 'Unsent says the journal, which may be a backup, and nobody can be asked: a person must look.',
  },
];
