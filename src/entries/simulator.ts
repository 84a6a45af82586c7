/**
 * The simulated service, for tests of flows and of programs that use the client:
 * `@cloud-terminal/node-red-payments/simulator`. Its bank keeps a ledger, so that a test can ask what truly happened to the
 * money.
 */

export {
  type AcquirerGroup,
  type Action,
  automaticCardholder,
  type Bank,
  type Capabilities,
  type Cardholder,
  type CardInput,
  DEFAULT_KEY,
  DEFAULT_TERMINALS,
  type EntryKind,
  FAULT_KINDS,
  FAULT_MOMENTS,
  type Fault,
  type FaultKind,
  type Faults,
  type Habits,
  type LedgerEntry,
  type MerchantConfig,
  type Moment,
  type Screen,
  type ServedSimulator,
  type ServeOptions,
  Simulator,
  type SimulatorOptions,
  type Stage,
  seededIds,
  seededRandom,
  serveSimulator,
  type Terminal,
  type TerminalConfig,
  type Timings,
  VARIANT_VALUES,
  type Variants,
} from '../simulator/index.js';
