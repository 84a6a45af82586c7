import type { Node, NodeAPI, NodeDef } from 'node-red';
import type { DoorJournal, Journal } from '../../core/journal/journal.js';
import type { OperationRecord } from '../../core/journal/record.js';
import { abandonFound, countAbandoned, named } from './abandoned.js';
import type { JournalNode } from './config-nodes.js';
import { type JournalPlace, journalPlace } from './environment/journal-place.js';
import { areFlowsUp, onFlowsStarted } from './flows-started.js';
import { environmentById } from './registry.js';
import { journalSettings } from './settings/journal-settings.js';

const listening = new WeakSet<object>();
const looks = new Set<Promise<void>>();

/**
 * Looks into the journals whenever the flows have started, and says which payments are open there although no environment
 * follows them: it has no key, its settings are wrong, or it is not in the flows. Nobody else could say so after a restart.
 */
export function reportUnfollowed(RED: NodeAPI): void {
  if (listening.has(RED.events)) return;
  listening.add(RED.events);
  onFlowsStarted(RED, () => {
    for (const place of placesOf(RED)) {
      const looking = look(RED, place)
        .catch((error) =>
          RED.log.error(`the journal in ${place.name} cannot be searched for payments that nobody follows: ${error}`),
        )
        .finally(() => looks.delete(looking));
      looks.add(looking);
    }
  });
}

/** Resolves once no journal is open for a look any more: what closes leaves nothing open. */
export async function looked(): Promise<void> {
  await Promise.all(looks);
}

/** The journals of the flows, and the one of environments that name none. */
function placesOf(RED: NodeAPI): Iterable<JournalPlace> {
  const places = new Map<string, JournalPlace>();
  const add = (place: JournalPlace): unknown => place.isMade() && places.set(place.name, place);
  add(journalPlace(RED, journalSettings()));
  RED.nodes.eachNode(({ id, type }: NodeDef) => {
    if (type !== 'payment-journal') return;
    const { settings } = (RED.nodes.getNode(id) as Partial<JournalNode> | null) ?? {};
    if (settings !== undefined && !(settings instanceof Error)) add(journalPlace(RED, settings));
  });
  return places.values();
}

async function look(RED: NodeAPI, place: JournalPlace): Promise<void> {
  const journal = await opened(place);
  try {
    for (const environment of await journal.openEnvironments()) {
      if (environmentById(environment) !== undefined) continue;
      const open = await journal.open(environment);
      // A deploy has begun meanwhile: what it starts is looked at once more.
      if (areFlowsUp(RED) && environmentById(environment) === undefined) report(RED, environment, place, open);
    }
  } finally {
    await journal.close();
  }
}

/** Without leading, where that is possible: who leads follows the payments. */
function opened(place: JournalPlace): Promise<Journal | DoorJournal> {
  const nobodyHears = (): void => undefined;
  const events = { onDamage: nobodyHears, onLastingDamage: nobodyHears, onLost: nobodyHears };
  const all = { ...events, onReachable: nobodyHears, log: nobodyHears };
  return place.openDoor?.(all) ?? place.open(all);
}

function report(RED: NodeAPI, environment: string, place: JournalPlace, open: readonly OperationRecord[]): void {
  const isNews = abandonFound(environment, open);
  const node = (RED.nodes.getNode(environment) ?? undefined) as Node | undefined;
  node?.status({ fill: 'red', shape: 'ring', text: `status.unfollowed ${countAbandoned(environment)}` });
  if (!isNews) return;
  const cure =
    node === undefined
      ? `The flows have no environment with the id ${environment} that is enabled: put it back with its API key`
      : 'This environment cannot be used: correct what its error names';
  const text =
    `${open.length} payments are open in the journal in ${place.name}, and nobody here follows them. ${cure}, and its ` +
    `nodes are told what became of them; or look them up at the provider by these references: ${named(open)}`;
  if (node === undefined) RED.log.error(text);
  else node.error(text);
}
