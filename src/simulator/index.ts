export { Control } from './control/control.js';
export { pageFile } from './control/page-files.js';
export { streamViews } from './control/stream.js';
export { type View, viewOf } from './control/view.js';
export { watch } from './control/watch.js';
export type { Bank, EntryKind, LedgerEntry } from './gateway/bank.js';
export { type ServedSimulator, type ServeOptions, serveSimulator } from './http.js';
export {
  type ArmedFault,
  FAULT_KINDS,
  FAULT_MOMENTS,
  type Fault,
  type FaultKind,
  type FaultPlan,
  type Faults,
  type Moment,
} from './infra/faults.js';
export { MISHAP_KINDS } from './infra/mishaps.js';
export { MIX_UP_KINDS } from './infra/mix-ups.js';
export { READING_FAULT_KINDS } from './infra/reading-faults.js';
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
export { READING_VALUES } from './model/reading-values.js';
export { READINGS } from './model/readings.js';
export type { Timings } from './model/timings.js';
export { VARIANT_VALUES, type Variants } from './model/variants.js';
export { OTHER_REFERENCE } from './results/odd-results.js';
export { OTHER_SYSTEM } from './service/other-system.js';
export { BASE_URL, Simulator, type SimulatorOptions, STATUS_URL } from './simulator.js';
export { automaticCardholder, type Cardholder, type Habits } from './terminal/cardholder.js';
export type { Action, Screen, Stage } from './terminal/session/screen.js';
export type { Terminal } from './terminal/terminal.js';
