import { SharedStores } from '../shared-stores.js';
import { makeFolder, openStore, type Store } from './store.js';

const stores = new SharedStores<Store>();

/** The one store of a folder in this process, and how to leave it. When the last user leaves, the store closes. */
export async function poolStore(
  folder: string,
  clock?: () => number,
): Promise<{ store: Store; leave: () => Promise<void> }> {
  const path = await makeFolder(folder);
  return stores.join(path, () => openStore(path, clock));
}
