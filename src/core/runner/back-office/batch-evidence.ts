import type { Client } from '../../api/client.js';
import type { TerminalAddress } from '../../api/schema/fields.js';
import type { CallOptions } from '../../api/transport/transport.js';
import { textOf } from '../../base/objects.js';
import type { Journal } from '../../journal/journal.js';
import type { Reply } from '../../lifecycle/back-office/reply.js';
import { sendOrder } from './back-office-send.js';

/**
 * The summary of a batch proves that the batch was closed. A close without a number closes whichever batch is open when
 * it arrives, so the number has to be known before the close is sent.
 */

/** The batch number of the newest operations of an environment; undefined where the acquirer gives none. @throws JournalError */
export async function newestBatch(journal: Journal, environment: string): Promise<string | undefined> {
  for (const { result } of await journal.find({ environment })) {
    const number = textOf(result?.batchNumber);
    if (number !== '') return number;
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
  return sendOrder(client, { operation: 'batch/summary', body }, undefined, options);
}

/**
 * What a summary shows of its batch; undefined where it shows neither, or contradicts itself. That it is open has to be said
 * of this very batch: nothing else in a summary shows that.
 */
export function shownIn({ approved, batch = '', raw }: Reply): 'open' | 'closed' | undefined {
  const status = textOf(raw.batchStatus);
  const hasEnd = textOf(raw.closedAt) !== '';
  if (!approved) return undefined;
  if (status === 'CLOSED' || (status === '' && hasEnd)) return 'closed';
  return status !== '' && !hasEnd && batch !== '' ? 'open' : undefined;
}
