import { type Entry, movedBy } from './entry.js';
import { nameOf, statusTextOf } from './row.js';

/** The list as a table that can be held against a bank statement. */

/** The names of the columns are for programs, and the same in every language. */
const COLUMNS: readonly [name: string, value: (entry: Entry) => string][] = [
  ['time', ({ at }) => new Date(at).toISOString()],
  ['environment', ({ environment }) => nameOf(environment)],
  ['node', ({ node }) => nameOf(node)],
  ['terminal', ({ terminal }) => terminal],
  ['operation', ({ operation }) => operation],
  ['order_reference', ({ orderReference }) => orderReference],
  ['idempotency_key', ({ orderKey }) => orderKey ?? ''],
  ['requested', ({ requested, amount }) => requested ?? amount],
  ['amount', movedBy],
  ['tip', ({ tip }) => tip],
  ['currency', ({ currency }) => currency],
  ['outcome', ({ outcome }) => outcome ?? ''],
  ['current_status', statusTextOf],
  ['card', ({ card }) => card],
  ['approval_code', ({ approvalCode }) => approvalCode],
  ['transaction_id', ({ transactionId }) => transactionId],
  ['original_transaction_id', ({ original }) => original],
  ['reference', ({ reference }) => reference],
  ['operation_id', ({ id }) => id],
];

export function statementOf(entries: readonly Entry[]): string[][] {
  return [COLUMNS.map(([name]) => name), ...entries.map((entry) => COLUMNS.map(([, value]) => value(entry)))];
}
