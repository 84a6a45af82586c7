import { all, not } from '../guard.js';
import type { BackOfficeTransition } from './groups.js';
import { isRead, isTraceable, serviceHasChanged } from './guards.js';
import { startWatch } from './updates.js';
import { unknown } from './verdicts.js';

/** The environment was pointed at another service while the operation was open. */
export const CHANGED_SERVICE: readonly BackOfficeTransition[] = [
  {
    id: 'service-changed',
    from: ['sending', 'retrying', 'reconciling'],
    on: ['restored'],
    when: all(serviceHasChanged, isTraceable, not(isRead)),
    to: 'watching',
    updates: startWatch,
    effects: ['save', 'deliver'],
    verdict: unknown,
    because: 'Another service may know nothing of it: what it finds is true, what it does not find proves nothing.',
  },
  {
    id: 'service-changed-unanswered',
    from: ['sending', 'retrying'],
    on: ['restored'],
    when: all(serviceHasChanged, isRead),
    to: 'closed',
    effects: ['save', 'deliver'],
    verdict: unknown,
    because: 'A question goes to no other service than it was meant for, and moves no money.',
  },
  {
    id: 'service-changed-untraceable',
    from: ['sending', 'retrying'],
    on: ['restored'],
    when: serviceHasChanged,
    to: 'watching',
    updates: startWatch,
    effects: ['save', 'deliver'],
    verdict: unknown,
    because: 'Another service may know nothing of it, and there is nothing to ask it for.',
  },
];
