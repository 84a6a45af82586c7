import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { NodeAPI } from 'node-red';
import { ConfigurationError } from '../../../core/base/errors.js';
import type { Clock } from '../../../core/base/seams.js';
import type { DoorJournal, Journal } from '../../../core/journal/journal.js';
import { FILE, identityOf, journalFolder } from '../../../core/journal/lmdb/folder.js';
import { databaseName } from '../../../core/journal/postgres/connection/address.js';
import { loadCore } from '../load.js';
import type { JournalSettings } from '../settings/journal-settings.js';

/** What an environment hears of its open journal. */
interface JournalEvents {
  /** Damage was found: the operations that a repair brings back have to be taken up. */
  onDamage(damage: string): void;
  /** Damage was found that nothing repairs: a person has to look at it. */
  onLastingDamage(damage: string): void;
  /** Another process has taken it over. */
  onLost(): void;
  /** It went away, with why; or it is back. */
  onReachable(error?: Error): void;
  log(text: string): void;
}

/** Where an environment records its payments. */
export interface JournalPlace {
  /** For people, and to tell one place from another. */
  readonly name: string;
  /** Whether an earlier process may have left operations there, or another one may leave some. */
  mayHoldOperations(): boolean;
  /** Whether a journal is there, or may be. */
  isMade(): boolean;
  /** Tells the journal that is there now from another one in its place. Absent where none can take its place. */
  identity?(): string | undefined;
  /** Proves that a journal could be made there. @throws JournalError */
  tryOut(): Promise<void>;
  /** Opens it to drive payments. @throws StandbyError, JournalError, ConfigurationError */
  open(events: JournalEvents): Promise<Journal>;
  /** Opens it while another process drives them. Absent where no other process can. @throws JournalError, ConfigurationError */
  openDoor?(events: JournalEvents): Promise<DoorJournal>;
}

/** This process, among all that share a database. */
const REPLICA = { id: randomUUID(), host: hostname() };

export function journalPlace(RED: NodeAPI, settings: JournalSettings): JournalPlace {
  return settings.store === 'postgresql' ? inDatabase(settings) : inFolder(RED, settings.folder);
}

/** Where environments that name no journal record their payments while no variable names a folder. */
export function userFolderPlace(RED: NodeAPI): JournalPlace {
  return inFolder(RED, '', {});
}

function inFolder(RED: NodeAPI, setting: string, env: Readonly<NodeJS.ProcessEnv> = process.env): JournalPlace {
  const mustBeAlone = (): void => {
    if (!runsTwice(RED)) return;
    throw new ConfigurationError(
      'FlowFuse runs this instance twice (high availability), and a journal in a folder serves one Node-RED: choose a ' +
        'journal node with PostgreSQL in the environment',
    );
  };
  const folder = journalFolder({
    setting,
    env,
    flowfuse: 'flowforge' in RED.settings,
    cwd: process.cwd(),
    userDir: RED.settings.userDir ?? process.cwd(),
  });
  return {
    name: folder,
    mayHoldOperations: () => existsSync(folder),
    isMade: () => existsSync(join(folder, FILE)),
    identity: () => identityOf(join(folder, FILE)),
    tryOut: async () => {
      mustBeAlone();
      await loadCore().tryNewFolder(folder);
    },
    open: async ({ onDamage }) => {
      mustBeAlone();
      return loadCore().openLmdbJournal(folder, onDamage);
    },
  };
}

/** FlowFuse runs an instance with high availability as two replicas with the same flows, and says so in these settings. */
function runsTwice({ settings }: NodeAPI): boolean {
  const { flowforge } = settings as { flowforge?: FlowFuseSettings };
  return flowforge?.projectLink?.useSharedSubscriptions === true || Number(flowforge?.mqttNodes?.ha ?? 0) >= 2;
}

interface FlowFuseSettings {
  projectLink?: { useSharedSubscriptions?: unknown };
  mqttNodes?: { ha?: unknown };
}

function inDatabase({ address, directAddress }: JournalSettings): JournalPlace {
  const optionsFor = (clock: Clock, events: JournalEvents) => ({
    clock,
    replica: REPLICA,
    ...(directAddress === '' ? {} : { directAddress }),
    ...events,
    onDamage: events.onLastingDamage,
  });
  return {
    name: databaseName(address),
    mayHoldOperations: () => true,
    isMade: () => true,
    tryOut: async () => undefined,
    open: async (events) => {
      const core = loadCore();
      return core.openPostgresJournal(address, optionsFor(core.systemClock, events));
    },
    openDoor: async (events) => {
      const core = loadCore();
      return core.openPostgresDoor(address, optionsFor(core.systemClock, events));
    },
  };
}
