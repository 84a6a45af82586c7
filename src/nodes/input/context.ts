import type { NodeMessage } from 'node-red';
import type { Signal } from '../../core/base/abort.js';
import type { Origin } from '../../core/operation/order.js';
import type { EnvironmentRuntime } from '../runtime/environment-runtime.js';
import type { ChosenTerminal } from '../runtime/lookup.js';
import type { Readings } from './reading.js';

export type Message = NodeMessage & Record<string, unknown>;

/** What an action does with a message whose fields were read. Resolves with the operation's id. */
export interface ActionContext {
  values: Readings;
  msg: Message;
  environment: EnvironmentRuntime;
  /** Where the answer goes. */
  origin: Origin;
  /** The terminal of the message, or of the node. @throws InputError, ConfigurationError */
  terminal(): Promise<ChosenTerminal>;
  /** Aborted when the node goes away. */
  signal: Signal;
}
