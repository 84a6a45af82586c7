import { makeFolder, openStore, type Store } from './store.js';

interface Shared {
  store: Promise<Store>;
  users: number;
  /** Set once the last user has left. When it resolves the folder can be opened again. */
  closing?: Promise<void>;
}

const openFolders = new Map<string, Shared>();

/** The one store of a folder in this process, and how to leave it. When the last user leaves, the store closes. */
export async function poolStore(
  folder: string,
  clock?: () => number,
): Promise<{ store: Store; leave: () => Promise<void> }> {
  const path = await makeFolder(folder);
  const shared = await join(path, clock);
  const leave = async (): Promise<void> => {
    shared.users--;
    if (shared.users > 0) return;
    shared.closing = close(path, shared);
    await shared.closing;
  };
  try {
    return { store: await shared.store, leave };
  } catch (error) {
    if (openFolders.get(path) === shared) openFolders.delete(path);
    throw error;
  }
}

/** Counts the caller as a user in the same turn in which it finds the folder open, so that nobody closes it in between. */
async function join(path: string, clock: (() => number) | undefined): Promise<Shared> {
  for (;;) {
    const shared = openFolders.get(path) ?? { store: openStore(path, clock), users: 0 };
    openFolders.set(path, shared);
    if (shared.closing === undefined) {
      shared.users++;
      return shared;
    }
    await shared.closing;
  }
}

async function close(path: string, shared: Shared): Promise<void> {
  try {
    await (await shared.store).close();
  } finally {
    openFolders.delete(path);
  }
}
