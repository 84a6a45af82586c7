/**
 * The simulated service, for tests of flows and of programs that use the client:
 * `@cloud-terminal/node-red-payments/simulator`. Its bank keeps a ledger, so that a test can ask what truly happened to the
 * money.
 */

export type { Bank, EntryKind, LedgerEntry } from '../simulator/gateway/bank.js';
export { type ServedSimulator, type ServeOptions, serveSimulator } from '../simulator/http.js';
export {
  FAULT_KINDS,
  FAULT_MOMENTS,
  type Fault,
  type FaultKind,
  type Faults,
  type Moment,
} from '../simulator/infra/faults.js';
export { seededIds, seededRandom } from '../simulator/infra/seed.js';
export type { CardInput } from '../simulator/model/cards.js';
export {
  type AcquirerGroup,
  type Capabilities,
  DEFAULT_KEY,
  DEFAULT_TERMINALS,
  type MerchantConfig,
  type TerminalConfig,
} from '../simulator/model/merchant.js';
export type { Timings } from '../simulator/model/timings.js';
export { VARIANT_VALUES, type Variants } from '../simulator/model/variants.js';
export { Simulator, type SimulatorOptions } from '../simulator/simulator.js';
export { automaticCardholder, type Cardholder, type Habits } from '../simulator/terminal/cardholder.js';
export type { Action, Screen, Stage } from '../simulator/terminal/session/screen.js';
export type { Terminal } from '../simulator/terminal/terminal.js';
