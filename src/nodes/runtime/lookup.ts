import type { NodeAPI, NodeDef, NodeMessage } from 'node-red';
import type { TerminalAddress } from '../../core/api/schema/fields.js';
import { ConfigurationError, InputError, PaymentError } from '../../core/base/errors.js';
import type { EnvironmentNode, JournalNode, TerminalNode } from './config-nodes.js';
import type { EnvironmentRuntime } from './environment-runtime.js';
import { configFlag, configText } from './settings/config-values.js';
import { type JournalSettings, journalSettings } from './settings/journal-settings.js';
import { terminalsWith } from './terminals.js';

/** The config nodes that a node names: its terminal, or its environment where it needs no terminal. */
export interface Addressee {
  terminal?: string;
  environment?: string;
}

/** The terminal that a message goes to. */
export interface ChosenTerminal {
  address: TerminalAddress;
  /** Used by these flows alone. */
  exclusive: boolean;
}

/** The environment of a node, through its terminal or directly; or why there is none. */
export function runtimeOf(RED: NodeAPI, config: Addressee): EnvironmentRuntime | PaymentError {
  const environment = environmentNode(RED, config);
  if (environment !== undefined) return environment.runtime;
  if (lacksTerminal(RED, config)) return terminalGone();
  return new ConfigurationError(whatIsMissing(RED, config));
}

function whatIsMissing(RED: NodeAPI, config: Addressee): string {
  if (terminalNode(RED, config) !== undefined)
    return 'the terminal of this node has no environment, or its environment is disabled or was removed';
  if (config.environment !== undefined)
    return 'the node has no environment, or its environment is disabled or was removed: choose one';
  return 'the node has no terminal: choose one, also where msg.terminal names another one';
}

/** The status of a node whose environment is missing or cannot be used. */
export function missingConfigStatus(RED: NodeAPI, config: Addressee): string {
  if (environmentNode(RED, config) !== undefined) return 'status.environment-unusable';
  // A node that needs no terminal has a field for its environment instead.
  const needsTerminal = config.environment === undefined && terminalNode(RED, config) === undefined;
  return needsTerminal ? 'status.no-terminal' : 'status.no-environment';
}

/** Whether the node names a terminal that does not exist. */
function lacksTerminal(RED: NodeAPI, config: Addressee): boolean {
  return Boolean(config.terminal) && terminalNode(RED, config) === undefined;
}

/**
 * The terminal for a message: the one in the message, else the node's, else the simulator's first one.
 * @throws InputError, ConfigurationError
 */
export async function terminalOf(
  RED: NodeAPI,
  config: Addressee,
  environment: EnvironmentRuntime,
  msg: NodeMessage & Record<string, unknown>,
): Promise<ChosenTerminal> {
  if (msg.terminal !== undefined) {
    const address = terminalIn(msg.terminal);
    return { address, exclusive: exclusiveTerminal(address) };
  }
  if (lacksTerminal(RED, config)) throw terminalGone();
  const { serialNumber, terminalType, exclusive: checkbox } = terminalNode(RED, config) ?? {};
  const serial_number = configText('serial number', serialNumber);
  const terminal_type = configText('terminal type', terminalType);
  const exclusive = isExclusive(checkbox);
  if (serial_number !== '' && terminal_type !== '') return { address: { serial_number, terminal_type }, exclusive };
  const first = serial_number === '' ? await environment.defaultTerminal() : undefined;
  if (first !== undefined) return { address: first, exclusive };
  throw new ConfigurationError('the terminal needs a serial number and a type');
}

function terminalGone(): ConfigurationError {
  return new ConfigurationError('the terminal of this node is disabled or was removed');
}

/**
 * Where an environment records its payments. Another journal in place of the one that it names would know nothing of the orders
 * in that, and charge them again.
 * @throws ConfigurationError
 */
export function journalOf(RED: NodeAPI, config: { journal?: string }): JournalSettings {
  const id = namedJournal(config);
  if (id === undefined) return journalSettings();
  // It may be a node of another type, which a variable names by mistake.
  const settings = (RED.nodes.getNode(id) as Partial<JournalNode> | null)?.settings;
  if (settings === undefined)
    throw new ConfigurationError('the journal of this environment is disabled or was removed');
  if (settings instanceof PaymentError) throw settings;
  return settings;
}

/**
 * Whether the journal that an environment names is among the flows, and has not started yet. Node-RED starts a config node after
 * those that it names, but does not know of one that a variable names.
 */
export function isJournalToCome(RED: NodeAPI, config: { journal?: string }): boolean {
  const journal = namedJournal(config);
  let isToCome = false;
  RED.nodes.eachNode(({ id, type, d }: NodeDef & { d?: boolean }) => {
    if (id === journal && type === 'payment-journal' && d !== true) isToCome = !RED.nodes.getNode(id);
  });
  return isToCome;
}

/** Undefined: the standard one. The editor writes `_ADD_` where none was chosen. */
function namedJournal({ journal }: { journal?: string }): string | undefined {
  return journal === undefined || journal === null || journal === '' || journal === '_ADD_' ? undefined : journal;
}

function environmentNode(RED: NodeAPI, config: Addressee): EnvironmentNode | undefined {
  const id = terminalNode(RED, config)?.environment || config.environment || '';
  return (RED.nodes.getNode(id) ?? undefined) as EnvironmentNode | undefined;
}

function terminalNode(RED: NodeAPI, { terminal }: Addressee): TerminalNode | undefined {
  return (RED.nodes.getNode(terminal ?? '') ?? undefined) as TerminalNode | undefined;
}

/** Whether a config node of the environment has this serial number. */
export function hasTerminal(environment: string, serialNumber: string): boolean {
  return terminalsWith(serialNumber).some((node) => node.environment === environment);
}

/** What the config node of the same terminal says; a terminal without one may be anybody's. @throws ConfigurationError */
export function exclusiveTerminal({ serial_number }: TerminalAddress): boolean {
  const same = terminalsWith(serial_number);
  return same.length > 0 && same.every(({ exclusive }) => isExclusive(exclusive));
}

/** A flow from before this field has the terminal to itself. @throws ConfigurationError */
function isExclusive(checkbox: unknown): boolean {
  return configFlag('used by this flow only', checkbox, true);
}

function terminalIn(value: unknown): TerminalAddress {
  if (typeof value === 'object' && value !== null && 'serial_number' in value && 'terminal_type' in value) {
    const { serial_number, terminal_type } = value;
    if (typeof serial_number === 'string' && typeof terminal_type === 'string') return { serial_number, terminal_type };
  }
  throw new InputError('msg.terminal', 'an object with the texts serial_number and terminal_type', value);
}
