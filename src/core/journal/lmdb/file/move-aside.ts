import { rename, rm, stat } from 'node:fs/promises';

/**
 * Renames the file to the first free `<file>.damaged-<n>`, and returns that name; undefined where there is no file. Its file of
 * readers is removed first: beside that one the next opening would take the missing file for a loss.
 */
export async function moveAside(file: string): Promise<string | undefined> {
  await rm(`${file}-lock`, { force: true });
  if (!(await exists(file))) return undefined;
  for (let number = 1; ; number++) {
    const aside = `${file}.damaged-${number}`;
    if (await exists(aside)) continue;
    await rename(file, aside);
    return aside;
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
