/** What the package promises of the simulator: `src/entries/simulator.ts` exports this and nothing else. */

export type { Bank, EntryKind, LedgerEntry } from './gateway/bank.js';
export { type ServedSimulator, type ServeOptions, serveSimulator } from './http.js';
export {
  FAULT_KINDS,
  FAULT_MOMENTS,
  type Fault,
  type FaultKind,
  type Faults,
  type Moment,
} from './infra/faults.js';
export { seededIds, seededRandom } from './infra/seed.js';
export type { CardInput } from './model/cards.js';
export {
  type AcquirerGroup,
  type Capabilities,
  DEFAULT_KEY,
  DEFAULT_TERMINALS,
  type MerchantConfig,
  type TerminalConfig,
} from './model/merchant.js';
export type { Timings } from './model/timings.js';
export { VARIANT_VALUES, type Variants } from './model/variants.js';
export { Simulator, type SimulatorOptions } from './simulator.js';
export { automaticCardholder, type Cardholder, type Habits } from './terminal/cardholder.js';
export type { Action, Screen, Stage } from './terminal/session/screen.js';
export type { Terminal } from './terminal/terminal.js';
