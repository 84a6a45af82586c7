import { rename, stat } from 'node:fs/promises';

/** Renames the file to the first free `<file>.damaged-<n>`, and returns that name. */
export async function moveAside(file: string): Promise<string> {
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
