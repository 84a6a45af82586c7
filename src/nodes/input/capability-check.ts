import { requireOffer } from '../../core/base/capabilities.js';
import type { Form } from '../form/form.js';
import type { EnvironmentSettings } from '../runtime/settings/environment-settings.js';
import { reading } from './field-values.js';
import type { Readings } from './reading.js';

/**
 * Refuses before anything is sent what the environment's acquirer group does not offer.
 * @throws InputError naming the group and what it does not offer
 */
export function checkCapabilities(
  { needs = [] }: Form,
  values: Readings,
  { group, checkGroup }: EnvironmentSettings,
): void {
  if (!checkGroup) return;
  for (const { capability, when } of needs) {
    const fields = Object.entries(when);
    const isNeeded = fields.every(([name, wanted]) => {
      const { value } = reading(values, name);
      return wanted === true ? value !== undefined : value === wanted;
    });
    const [last] = fields.at(-1) ?? [];
    if (isNeeded && last !== undefined) requireOffer(capability, group, reading(values, last));
  }
}
