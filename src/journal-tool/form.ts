import { dirname } from 'node:path';
import { PageFile } from '../core/journal/lmdb/check/page-file.js';
import { checkStructure, type IsKnown, StructureError } from '../core/journal/lmdb/check/structure-check.js';
import { mustBeOwnForm } from '../core/journal/lmdb/file/form.js';

/** @throws JournalError, in the check of a file's structure, where another version of this package wrote the file */
export function ownFormOf(file: string): IsKnown {
  return (names, meta) => mustBeOwnForm(dirname(file), names, meta);
}

/**
 * Reads no further than the number of the form. A file whose damage hides the number may still have records to be read.
 * @throws JournalError where another version of this package wrote the file
 */
export function mustNotBeForeign(file: string): void {
  const pages = new PageFile(file);
  const isOwn = ownFormOf(file);
  const stopAtForm: IsKnown = (names, meta) => isOwn(names, meta) && false;
  try {
    for (const _ of checkStructure(pages, stopAtForm));
  } catch (error) {
    if (!(error instanceof StructureError)) throw error;
  } finally {
    pages.close();
  }
}
