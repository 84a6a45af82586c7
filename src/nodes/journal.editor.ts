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
        testJournal(config.id, { draft: draft(config, inputOf('address')) });
      const { row, clear } = connectionTest(config, ask);
      const onChange = (): void => {
        row.hidden = inputOf('store')?.value === 'embedded';
        clear();
      };
      form.onChange(['store', 'address'], onChange);
      onChange();
      inputOf('name')?.closest('form')?.append(row);
    },
  };
}

/** Without an address that is stored, which the editor does not know. */
function draft({ credentials }: EditorNode, input: HTMLInputElement | null): { address?: string } {
  const typed = (credentials ?? {}) as { address?: unknown };
  const value = input?.value ?? '';
  if (value !== STORED) return { address: value };
  return typeof typed.address === 'string' && typed.address !== STORED && typed.address !== ''
    ? { address: typed.address }
    : {};
}
