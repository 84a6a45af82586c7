import type { Key, RootDatabase } from 'lmdb';
import { JournalError } from '../../../base/errors.js';
import { StructureError } from '../check/structure-check.js';
import { commit } from './commit.js';
import { DATABASE_NAMES } from './databases.js';

/**
 * The form of the file on disk. Raise it with every new database, and with every change of a database, an index key or a
 * stored record after which one version of this package cannot read what another one wrote. Form 1 had no number; 3 has sequences and
 * checksums; 4 the age at which a record was written.
 */
const FORM = 4;
/** The form of a file that has operations and no number. */
const UNNUMBERED = '1';

/**
 * Makes sure that a file has this version's form, and gives a new file its number. It must run before any other
 * database is created: a file that has operations but no number is of form 1.
 * @throws JournalError for a file of another form, which is left as it is
 */
export async function ensureForm(root: RootDatabase<string, Key>, folder: string): Promise<void> {
  if (mustBeUnderstood(root, folder) !== undefined) return;
  const meta = root.openDB<string, string>({ name: 'meta', encoding: 'string' });
  await commit(root, folder, () => meta.putSync('form', String(FORM)));
}

/**
 * As {@link isOwnForm}, for whoever can do nothing with a file of another form.
 * @param place names the journal in the error
 * @throws JournalError for a file of another form
 */
export function mustBeOwnForm(place: string, names: ReadonlySet<string>, meta: ReadonlyMap<string, string>): boolean {
  if (isOwnForm(names, meta)) return true;
  throw otherForm(place, meta.get('form') ?? UNNUMBERED);
}

/**
 * Returns the form of a file; undefined for a new one. Creates no database.
 * @throws JournalError for a file of another form
 */
export function mustBeUnderstood(root: RootDatabase<string, Key>, folder: string): string | undefined {
  const form = readForm(root);
  if (form !== undefined && form !== String(FORM)) throw otherForm(folder, form);
  return form;
}

/** Undefined for a new file. Creates no database. */
function readForm(root: RootDatabase<string, Key>): string | undefined {
  const existing = [...root.getKeys()];
  const has = (name: string): boolean => existing.includes(name);
  const form = has('meta') ? root.openDB<string, string>({ name: 'meta', encoding: 'string' }).get('form') : undefined;
  return form ?? (has('operations') ? UNNUMBERED : undefined);
}

/**
 * Whether the content of a file is of this version's form, so that it can be judged.
 * @throws StructureError where the number of the form is damaged, or the name of a database: LMDB would begin an empty one in
 * its place
 */
export function isOwnForm(names: ReadonlySet<string>, meta: ReadonlyMap<string, string>): boolean {
  const form = meta.get('form');
  const isNew = form === undefined && meta.size === 0 && !names.has('records');
  if (isNew && names.has('operations')) return false;
  if (!isNew && (form === undefined || !/^[1-9][0-9]*$/.test(form))) throw new StructureError('the number of its form');
  if (!isNew && form !== String(FORM)) return false;
  for (const name of names) if (!DATABASE_NAMES.has(name)) throw new StructureError(`a database has the name ${name}`);
  return true;
}

function otherForm(place: string, form: string): JournalError {
  const isNewer = Number(form) > FORM;
  return new JournalError(
    `the journal in ${place} was written by ${isNewer ? 'a newer' : 'an earlier'} version (form ${form}) and is left unchanged: ` +
      `${isNewer ? 'update this package, ' : ''}choose another folder or move it away`,
  );
}
