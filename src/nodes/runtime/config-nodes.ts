import type { Node } from 'node-red';
import type { PaymentError } from '../../core/base/errors.js';
import type { EnvironmentRuntime } from './environment-runtime.js';
import type { JournalSettings } from './journal-settings.js';

export interface Secrets {
  apiKey?: string;
  callbackSecret?: string;
}

export interface EnvironmentNode extends Node<Secrets> {
  /** Why nothing can be paid here, or what pays. */
  runtime: EnvironmentRuntime | PaymentError;
}

export interface TerminalNode extends Node {
  /** Its id: the node behind it may come with a later deploy that leaves this one as it is. */
  environment: string;
  /** Empty: the simulator's first one. */
  serialNumber: string;
  terminalType: string;
}

export interface JournalNode extends Node {
  /** Or why it cannot be used. */
  settings: JournalSettings | PaymentError;
}
