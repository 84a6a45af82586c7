import type { NodeAPI } from 'node-red';
import * as z from 'zod';
import { ConfigurationError, InputError, inspectDatabase, JournalError, systemClock } from '../../../core/index.js';
import type { JournalNode } from '../../runtime/config-nodes.js';
import { configText } from '../../runtime/settings/config-values.js';
import { withVariable } from '../../runtime/settings/variables.js';
import type { CheckResult } from '../contract.js';

const NAMES = { address: 'address of the database', directAddress: 'direct address of the database' };

/** The addresses as the open dialog has them. Absent: the deployed ones. */
const request = z.object({
  draft: z.object({ address: z.string().max(2000).optional(), directAddress: z.string().max(2000).optional() }),
});

/** Checks everything that a journal needs of a database. A failed check is part of the answer, not an error. */
export async function testJournal(RED: NodeAPI, id: string, body: unknown): Promise<{ findings: CheckResult[] }> {
  try {
    return { findings: await findings(addressesIn(RED, id, body)) };
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof JournalError)) throw error;
    return { findings: [{ check: 'database', state: 'bad', reason: 'database-away', detail: error.message }] };
  }
}

async function findings({ address, directAddress }: Record<keyof typeof NAMES, string>): Promise<CheckResult[]> {
  const inspected = await inspectDatabase(address, systemClock, directAddress === '' ? undefined : directAddress);
  const { version, tables, unsafe, host, notifications } = inspected;
  const isUsable = tables !== 'newer' && tables !== 'forbidden' && tables !== 'unwritable';
  const isSafe = unsafe.length === 0;
  return [
    { check: 'database', state: 'ok', reason: 'connected', figure: version },
    { check: 'tables', state: isUsable ? 'ok' : 'bad', reason: `tables-${tables}` },
    isSafe
      ? { check: 'durability', state: 'ok', reason: 'durable' }
      : { check: 'durability', state: 'bad', reason: 'not-durable', figure: unsafe.join(', ') },
    ...(notifications === undefined ? [] : [heard(notifications)]),
    host === undefined
      ? { check: 'leader', state: 'ok', reason: 'free' }
      : { check: 'leader', state: 'ok', reason: 'taken', figure: host },
  ];
}

function heard(notifications: 'heard' | 'unheard' | Error): CheckResult {
  if (notifications instanceof Error)
    return { check: 'notifications', state: 'bad', reason: 'database-away', detail: notifications.message };
  return { check: 'notifications', state: notifications === 'heard' ? 'ok' : 'bad', reason: notifications };
}

function addressesIn(RED: NodeAPI, id: string, body: unknown): Record<keyof typeof NAMES, string> {
  const parsed = request.safeParse(body);
  if (!parsed.success) throw new InputError('journal', 'the fields of its dialog', undefined);
  const { settings } = (RED.nodes.getNode(id) ?? {}) as Partial<JournalNode>;
  const deployed = settings !== undefined && 'address' in settings ? settings : { address: '', directAddress: '' };
  const used = (name: keyof typeof NAMES): string => {
    const typed = parsed.data.draft[name];
    return typed === undefined ? deployed[name] : configText(NAMES[name], withVariable(RED, typed));
  };
  const address = used('address');
  if (address === '') throw new ConfigurationError('the journal has no address of a database yet');
  return { address, directAddress: used('directAddress') };
}
