import type { Client } from '../api/client.js';
import type { TerminalAddress } from '../api/schema/fields.js';
import type { CallOptions } from '../api/transport/transport.js';
import type { Journal } from '../journal/journal.js';
import type { Reply } from '../lifecycle/back-office/reply.js';
import { ask } from './back-office-send.js';

/**
 * What proves that a batch was closed: its summary. A close without a number closes whichever batch is open when it
 * arrives, so that number has to be known before it is sent.
 */

/** The number that the newest operations of an environment had; undefined where the acquirer names none. @throws JournalError */
export async function newestBatch(journal: Journal, environment: string): Promise<string | undefined> {
  for (const { result } of await journal.find({ environment })) {
    const number = result?.batchNumber;
    if ((typeof number === 'string' || typeof number === 'number') && number !== '') return String(number);
  }
  return undefined;
}

/** @throws PaymentError */
export function askSummary(
  client: Client,
  { serial_number: serialNumber, terminal_type: deviceType }: TerminalAddress,
  batchNumber: string,
  options: CallOptions,
): Promise<Reply> {
  const body = { serialNumber, deviceType, batchNumber };
  return ask(client, { operation: 'batch/summary', body }, undefined, options);
}

export function isClosed({ raw }: Reply): boolean {
  return raw.batchStatus === 'CLOSED' || Boolean(raw.closedAt);
}
