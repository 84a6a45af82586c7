/** The payment client's front door. Loaded when the first payment needs it, not when Node-RED starts. */

export { TRANSACTION_OPERATIONS, type TransactionOperation, type TransactionOrder } from './api/transaction-request.js';
export type { CallbackSettings } from './attempt.js';
export { callbackSecret } from './callback.js';
export { systemClock } from './clock.js';
export type { Notice, Watcher } from './desk.js';
export { commandTerminal } from './device-command.js';
export { type CallbackAnswer, Engine, type EngineOptions } from './engine.js';
export * from './errors.js';
export { createHttpSend } from './http.js';
export { openEmbeddedJournal } from './journal/embedded.js';
export { journalFolder } from './journal/folder.js';
export type { Journal } from './journal/journal.js';
export { parseAmount, toMajorString, toMinorDigits } from './money.js';
export { newId } from './new-id.js';
export type * from './operation.js';
export { retried } from './retry.js';
export { snapshot } from './snapshot.js';
export { ThrottleRegistry } from './throttle.js';
