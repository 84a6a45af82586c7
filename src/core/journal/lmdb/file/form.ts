import type { Key, RootDatabase } from 'lmdb';
import { JournalError } from '../../../base/errors.js';
import { StructureError } from '../check/structure-check.js';
import { commit } from './commit.js';

/**
 * The form of the file on disk. Raise it with every change of a database, an index key or a stored record after which one
 * version of this package cannot read what another one wrote. Form 1 had no number; 3 has sequences and
 * checksums; 4 the age at which a record was written.
 */
const FORM = 4;

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

/**
 * Whether the content of a file is of this version's form, so that it can be judged.
 * @throws StructureError where the number of the form is damaged
 */
export function isOwnForm(names: ReadonlySet<string>, meta: ReadonlyMap<string, string>): boolean {
  const form = meta.get('form');
  if (form === undefined && meta.size === 0 && !names.has('records')) return !names.has('operations');
  if (form === undefined || !/^[1-9][0-9]*$/.test(form)) throw new StructureError('the number of its form');
  return form === String(FORM);
}

function otherForm(folder: string, form: string): JournalError {
  const isNewer = Number(form) > FORM;
  return new JournalError(
    `the journal in ${folder} was written by ${isNewer ? 'a newer' : 'an earlier'} version (form ${form}) and is left unchanged: ` +
      `${isNewer ? 'update this package, ' : ''}choose another folder or move it away`,
  );
}
