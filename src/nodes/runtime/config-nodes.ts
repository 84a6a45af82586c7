import type { Node } from 'node-red';
import type { PaymentError } from '../../core/base/errors.js';
import type { EnvironmentRuntime } from './environment-runtime.js';
import type { JournalSettings } from './settings/journal-settings.js';

export interface Secrets {
  apiKey?: string;
  secondApiKey?: string;
  callbackSecret?: string;
}

export interface EnvironmentNode extends Node<Secrets> {
  /** Or why the environment cannot be used. */
  runtime: EnvironmentRuntime | PaymentError;
}

export interface TerminalNode extends Node {
  /** The id, not the node: a later deploy may replace the environment and keep this terminal. */
  environment: string;
  /** Empty: the simulator's first terminal. What a variable of the type number names is a number. */
  serialNumber: unknown;
  terminalType: unknown;
  /** Nobody but these flows uses it, so a stop cannot hit the payment of another. What a variable says is a text. */
  exclusive: unknown;
}

export interface JournalNode extends Node<{ address?: string }> {
  /** Or why the journal cannot be used. */
  settings: JournalSettings | PaymentError;
}
