import { defineAction, type Form } from './form.js';
import { ORDER } from './groups.js';

/** The form of a node that moves money. All of them take an idempotency key, and can have a progress output. */
export function defineMoneyAction({ groups, ...form }: Pick<Form, 'type' | 'color' | 'groups' | 'needs'>): Form {
  return { ...defineAction({ ...form, groups: [...groups, ORDER] }), extraOutput: 'progress' };
}
