/** The payment client's front door. Loaded when the first payment needs it, not when Node-RED starts. */

export { commandTerminal } from './api/device-command.js';
export type * from './api/schema/fields.js';
export { TRANSACTION_OPERATIONS, type TransactionOperation } from './api/schema/operation-rules.js';
export type { TransactionOrder } from './api/schema/transaction-request.js';
export { RateLimiterRegistry } from './api/transport/rate-limiter.js';
export { retried } from './api/transport/retry.js';
export type { CallbackSettings } from './base/callback.js';
export { callbackSecret } from './base/callback.js';
export * from './base/errors.js';
export { parseAmount, toMajorString, toMinorDigits } from './base/money.js';
export { snapshot } from './base/snapshot.js';
export type { ResultEvent, Subscriber } from './delivery/dispatcher.js';
export type * from './delivery/listener.js';
export type * from './delivery/payload.js';
export { type CallbackAnswer, Engine, type EngineOptions } from './engine/engine.js';
export type { Journal } from './journal/journal.js';
export { journalFolder } from './journal/lmdb/folder.js';
export { openLmdbJournal } from './journal/lmdb/lmdb-journal.js';
export type * from './journal/record.js';
export type * from './operation/event.js';
export type * from './operation/kinds.js';
export type * from './operation/order.js';
export type * from './operation/verdict.js';
export { newId } from './platform/new-id.js';
export { systemClock } from './platform/system-clock.js';
export { createHttpSend } from './platform/undici-send.js';
