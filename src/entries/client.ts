/**
 * The payment client without Node-RED: `@cloud-terminal/node-red-payments/client`.
 *
 * {@link Client} has one method for each endpoint and leaves recovery to its caller. {@link Engine} is what the nodes use:
 * it records an order in the journal, sends it, and finds out what became of it.
 */

export { Client } from '../core/api/client.js';
export type { TerminalAddress } from '../core/api/schema/fields.js';
export type { TransactionOrder } from '../core/api/schema/transaction-request.js';
export type { TransactionResult } from '../core/api/schema/transaction-result.js';
export { RateLimiterRegistry } from '../core/api/transport/rate-limiter.js';
export type { TransportOptions } from '../core/api/transport/transport.js';
export { type CallbackSettings, callbackSecret } from '../core/base/callback.js';
export * from '../core/base/errors.js';
export { parseAmount, toMajorString, toMinorDigits } from '../core/base/money.js';
export type * from '../core/base/seams.js';
export type { ResultEvent, Subscriber } from '../core/delivery/dispatcher.js';
export type { Delivery, Listener, Progress } from '../core/delivery/listener.js';
export type { ResultPayload as PaymentResult } from '../core/delivery/payload.js';
export { Engine } from '../core/engine/engine.js';
export type { EngineOptions } from '../core/engine/options.js';
export type { Journal, JournalQuery } from '../core/journal/journal.js';
export { openLmdbJournal } from '../core/journal/lmdb/lmdb-journal.js';
export { MemoryJournal } from '../core/journal/memory.js';
export type { BackOfficeDraft } from '../core/operation/back-office-order.js';
export type { Order, Origin, Policies } from '../core/operation/order.js';
export type { Exit, Verdict } from '../core/operation/verdict.js';
export { newId } from '../core/platform/new-id.js';
export { systemClock } from '../core/platform/system-clock.js';
export { createHttpSend, type HttpSend } from '../core/platform/undici-send.js';
