const OTHER_USER =
  'Run Node-RED as the user who owns the folder, or make its own user the owner of the folder and of all files in it';

/** What a person does about a file that this process may not use, by what the system calls that. */
const CURES: Readonly<Record<string, string>> = {
  EACCES: OTHER_USER,
  EPERM: OTHER_USER,
  EROFS: 'The disk can only be read: make it writable, or choose another folder for the journal',
};

/** An error as people read it: where this process may not use a file, it ends with what to do. */
export function withCure(error: unknown): string {
  const cure = error instanceof Error && 'code' in error ? CURES[String(error.code)] : undefined;
  return cure === undefined ? String(error) : `${String(error)}. ${cure}`;
}
