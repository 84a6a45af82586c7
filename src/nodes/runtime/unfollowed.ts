import type { Node, NodeAPI, NodeDef } from 'node-red';
import type { DoorJournal, Journal } from '../../core/journal/journal.js';
import type { OperationRecord } from '../../core/journal/record.js';
import { abandonFound, CHARGED_AGAIN, countAbandoned, named, predecessorsFound, strangersFound } from './abandoned.js';
import type { JournalNode } from './config-nodes.js';
import { type JournalPlace, journalPlace, userFolderPlace } from './environment/journal-place.js';
import type { EnvironmentRuntime } from './environment-runtime.js';
import { areFlowsStopped, areFlowsUp, onFlowsStarted, onFlowsStopped } from './flows-started.js';
import { allEnvironments, environmentById, publish } from './registry.js';
import { type JournalSettings, journalSettings } from './settings/journal-settings.js';
import { withVariable } from './settings/variables.js';

/** What of a node the flows say, whether or not it runs. */
interface FlowNode extends NodeDef {
  d?: boolean;
  store?: string;
  folder?: string;
}

const listening = new WeakSet<object>();
const looks = new Set<Promise<void>>();

/**
 * Looks into the journals whenever the flows have started or stay stopped, and says which payments are open there although no
 * environment follows them: it does not run, has no key, its settings are wrong, it is not in the flows, or it uses another journal now.
 * Nobody else could say so after a restart.
 */
export function reportUnfollowed(RED: NodeAPI): void {
  if (listening.has(RED.events)) return;
  listening.add(RED.events);
  const lookIntoAll = (): void => {
    for (const place of placesOf(RED)) {
      const looking = look(RED, place)
        .catch((error) =>
          RED.log.error(`the journal in ${place.name} cannot be searched for payments that nobody follows: ${error}`),
        )
        .finally(() => looks.delete(looking));
      looks.add(looking);
    }
  };
  onFlowsStarted(RED, lookIntoAll);
  onFlowsStopped(RED, lookIntoAll);
}

/** Resolves once no journal is open for a look any more: what closes leaves nothing open. */
export async function looked(): Promise<void> {
  await Promise.all(looks);
}

/** The journals of the flows, the one of environments that name none, and what that was before a variable named another folder. */
function placesOf(RED: NodeAPI): Iterable<JournalPlace> {
  const places = new Map<string, JournalPlace>();
  const add = (place: JournalPlace): unknown => place.isMade() && places.set(place.name, place);
  add(userFolderPlace(RED));
  add(journalPlace(RED, journalSettings()));
  for (const node of nodesIn(RED)) {
    if (node.type !== 'payment-journal') continue;
    const running = RED.nodes.getNode(node.id) as Partial<JournalNode> | null;
    const settings = running === null ? settingsIn(RED, node) : running.settings;
    if (settings !== undefined && !(settings instanceof Error)) add(journalPlace(RED, settings));
  }
  return places.values();
}

/** None where Node-RED could not load the flows. */
function nodesIn(RED: NodeAPI): FlowNode[] {
  const nodes: FlowNode[] = [];
  try {
    RED.nodes.eachNode((node: FlowNode) => nodes.push(node));
  } catch {
    // It has none to show.
  }
  return nodes;
}

/** Of a journal whose node does not run: it is disabled, or the flows are stopped. */
function settingsIn(RED: NodeAPI, { id, store, folder }: FlowNode): JournalSettings | undefined {
  const read = (value = ''): string => withVariable(RED, value);
  const { address, directAddress } = (RED.nodes.getCredentials(id) ?? {}) as Record<string, string | undefined>;
  try {
    return journalSettings(
      { store: read(store ?? 'embedded'), folder: read(folder) },
      { address: read(address), directAddress: read(directAddress) },
    );
  } catch {
    // Its node says why where it runs.
    return undefined;
  }
}

async function look(RED: NodeAPI, place: JournalPlace): Promise<void> {
  const journal = await opened(place);
  try {
    for (const environment of await journal.openEnvironments()) {
      if (isFollowed(environment, place)) continue;
      const open = await unknownTo(environmentById(environment), await journal.open(environment));
      // A deploy has begun meanwhile: what it starts is looked at once more.
      const isStill = (areFlowsUp(RED) || areFlowsStopped(RED)) && !isFollowed(environment, place);
      if (isStill && open.length > 0) report(RED, environment, place, open);
    }
    for (const environment of allEnvironments()) {
      await lookForStrangers(RED, environment, place, journal);
      await lookForPredecessors(RED, environment, place, journal);
    }
  } finally {
    await journal.close();
  }
}

function isFollowed(environment: string, place: JournalPlace): boolean {
  return environmentById(environment)?.uses(place) === true;
}

/** The journal of an environment may be a copy of the one that is looked at: it follows what it knows itself. */
async function unknownTo(
  environment: EnvironmentRuntime | undefined,
  open: readonly OperationRecord[],
): Promise<readonly OperationRecord[]> {
  const payments = await environment?.engineIfAny();
  if (payments === undefined) return open;
  const unknown: OperationRecord[] = [];
  for (const record of open) {
    // A record that is damaged there is followed by nobody.
    const known = await payments.find({ operationId: record.operationId }, 1).catch(() => []);
    if (known.length === 0) unknown.push(record);
  }
  return unknown;
}

/** An environment that begins with a journal does not know the idempotency keys of those that it has used before. */
async function lookForStrangers(
  RED: NodeAPI,
  environment: EnvironmentRuntime,
  place: JournalPlace,
  journal: Journal | DoorJournal,
): Promise<void> {
  const { id } = environment;
  if (environment.uses(place)) return;
  const earlier = await journal.find({ environment: id }, 1);
  if (earlier.length === 0 || !(await environment.hasNoPayments())) return;
  if (!areFlowsUp(RED) || environmentById(id) !== environment) return;
  const warning = strangersFound(id, place.name, environment.journal);
  if (warning !== undefined) RED.nodes.getNode(id)?.warn(warning);
}

/**
 * An environment that is deleted and imported again begins with another id: it does not know the idempotency keys of the earlier
 * one. Nobody is charged by the simulated service.
 */
async function lookForPredecessors(
  RED: NodeAPI,
  environment: EnvironmentRuntime,
  place: JournalPlace,
  journal: Journal | DoorJournal,
): Promise<void> {
  const { id, settings } = environment;
  if (settings.kind === 'simulator' || !environment.uses(place) || !(await environment.hasNoPayments())) return;
  // A disabled environment is in the flows, too.
  const inFlows = new Set(nodesIn(RED).map((node) => node.id));
  const isGone = (other: string): boolean => RED.nodes.getNode(other) === null && !inFlows.has(other);
  const gone = (await journal.environments()).filter(isGone);
  if (gone.length === 0 || !areFlowsUp(RED) || environmentById(id) !== environment) return;
  const warning = predecessorsFound(id, place.name, gone);
  if (warning !== undefined) RED.nodes.getNode(id)?.warn(warning);
}

/** Without leading, where that is possible: who leads follows the payments. */
function opened(place: JournalPlace): Promise<Journal | DoorJournal> {
  const nobodyHears = (): void => undefined;
  const events = { onDamage: nobodyHears, onLastingDamage: nobodyHears, onLost: nobodyHears };
  const all = { ...events, onReachable: nobodyHears, log: nobodyHears };
  return place.openDoor?.(all) ?? place.open(all);
}

function report(RED: NodeAPI, environment: string, place: JournalPlace, open: readonly OperationRecord[]): void {
  const running = environmentById(environment);
  const isNews = abandonFound(environment, { place: place.name, open }, running?.journal);
  const node = (RED.nodes.getNode(environment) ?? undefined) as Node | undefined;
  if (running !== undefined) running.showUnfollowed();
  else node?.status({ fill: 'red', shape: 'ring', text: `status.unfollowed ${countAbandoned(environment)}` });
  if (!isNews) return;
  for (const record of open) publish(record);
  const text =
    `${open.length} payments are open in the journal in ${place.name}, and nobody here follows them. ` +
    `${cure(RED, environment, place)}, and its nodes are told what became of them; or look them up at the provider by these ` +
    `references: ${named(open)}`;
  if (node === undefined) RED.log.error(text);
  else node.error(text);
}

/** Ends with what a person can do. */
function cure(RED: NodeAPI, environment: string, place: JournalPlace): string {
  const running = environmentById(environment);
  if (running !== undefined) {
    return (
      `This environment uses the journal in ${running.journal} now, and an order that only the other one knows ${CHARGED_AGAIN}: ` +
      `let it use the journal in ${place.name} again`
    );
  }
  if (RED.nodes.getNode(environment) !== null) return 'This environment cannot be used: correct what its error names';
  const isEnabled = nodesIn(RED).some(({ id, d }) => id === environment && d !== true);
  return isEnabled || areFlowsStopped(RED)
    ? `Node-RED does not run the flows with the environment ${environment}: start them${unlessShared(place)}`
    : `The flows have no environment with the id ${environment} that is enabled: put it back with its API key`;
}

function unlessShared({ openDoor }: JournalPlace): string {
  return openDoor === undefined ? '' : ', unless another Node-RED that shares the journal runs them';
}
