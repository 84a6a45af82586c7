import type { Key, RootDatabase } from 'lmdb';
import { JournalError } from '../../base/errors.js';
import { commit } from './commit.js';

/**
 * The form of the file on disk. Raise it with every change of a database, an index key or a stored record after which one
 * version of this package cannot read what another one wrote. Form 1 had no number.
 */
export const FORM = 3;

/**
 * Makes sure that a file has this version's form, and gives a new file its number. It must run before any other
 * database is created: a file that has operations but no number is of form 1.
 * @throws JournalError for a file of another form, which is left as it is
 */
export async function ensureForm(root: RootDatabase<string, Key>, folder: string): Promise<void> {
  const form = readForm(root);
  if (form === String(FORM)) return;
  if (form !== undefined) throw otherForm(folder, form);
  const meta = root.openDB<string, string>({ name: 'meta', encoding: 'string' });
  await commit(root, folder, () => meta.putSync('form', String(FORM)));
}

/** Undefined for a new file. Creates no database. */
function readForm(root: RootDatabase<string, Key>): string | undefined {
  const existing = [...root.getKeys()];
  const has = (name: string): boolean => existing.includes(name);
  const form = has('meta') ? root.openDB<string, string>({ name: 'meta', encoding: 'string' }).get('form') : undefined;
  return form ?? (has('operations') ? '1' : undefined);
}

function otherForm(folder: string, form: string): JournalError {
  const isNewer = Number(form) > FORM;
  return new JournalError(
    `the journal in ${folder} was written by ${isNewer ? 'a newer' : 'an earlier'} version (form ${form}) and is left unchanged: ` +
      `${isNewer ? 'update this package, ' : ''}choose another folder or move it away`,
  );
}
