import type { CheckResult } from './admin/contract.js';
import { testJournal } from './editor/admin-client.js';
import { connectionTest } from './editor/dialogs/connection-test.js';
import { createForm as createPlainForm } from './editor/form-dialog.js';
import type { EditorNode } from './editor/host.js';

/** The dialog of a journal: the usual one, with a test of the database. */

type PlainForm = ReturnType<typeof createPlainForm>;

/** The editor's placeholder for a stored credential. */
const STORED = '__PWRD__';

export function createForm(...[groups, prefix, needs]: Parameters<typeof createPlainForm>): PlainForm {
  const form = createPlainForm(groups, prefix, needs);
  const inputOf = (name: string): HTMLInputElement | null => document.querySelector(`#${prefix}-${name}`);
  return {
    ...form,
    prepare(node): void {
      form.prepare(node);
      const config = node as unknown as EditorNode;
      const ask = (): Promise<{ findings: CheckResult[] }> =>
        testJournal(config.id, {
          draft: { ...draft(config, 'address', inputOf), ...draft(config, 'directAddress', inputOf) },
        });
      const { row, clear } = connectionTest(config, ask);
      const onChange = (): void => {
        row.hidden = inputOf('store')?.value === 'embedded';
        clear();
      };
      form.onChange(['store', 'address', 'directAddress'], onChange);
      onChange();
      inputOf('name')?.closest('form')?.append(row);
    },
  };
}

/** Without an address that is stored, which the editor does not know. */
function draft(
  { credentials }: EditorNode,
  name: string,
  inputOf: (name: string) => HTMLInputElement | null,
): Record<string, string> {
  const typed = ((credentials ?? {}) as Record<string, unknown>)[name];
  const value = inputOf(name)?.value ?? '';
  if (value !== STORED) return { [name]: value };
  return typeof typed === 'string' && typed !== STORED && typed !== '' ? { [name]: typed } : {};
}
