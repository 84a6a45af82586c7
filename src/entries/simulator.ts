/**
 * The simulated service, for tests of flows and of programs that use the client:
 * `@cloud-terminal/node-red-payments/simulator`. Its bank keeps a ledger, so that a test can ask what truly happened to the
 * money.
 */

export * from '../simulator/public.js';
