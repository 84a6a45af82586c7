import type { NodeAPI } from 'node-red';
import * as z from 'zod';
import { ConfigurationError, InputError, inspectDatabase, JournalError, systemClock } from '../../../core/index.js';
import type { JournalNode } from '../../runtime/config-nodes.js';
import { configText } from '../../runtime/settings/config-values.js';
import type { CheckResult } from '../contract.js';
import { withVariable } from '../variables.js';

/** The address as the open dialog has it. Absent: the deployed one. */
const request = z.object({ draft: z.object({ address: z.string().max(2000).optional() }) });

/** Checks everything that a journal needs of a database. A failed check is part of the answer, not an error. */
export async function testJournal(RED: NodeAPI, id: string, body: unknown): Promise<{ findings: CheckResult[] }> {
  try {
    return { findings: await findings(addressIn(RED, id, body)) };
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof JournalError)) throw error;
    return { findings: [{ check: 'database', state: 'bad', reason: 'database-away', detail: error.message }] };
  }
}

async function findings(address: string): Promise<CheckResult[]> {
  const { version, tables, unsafe, host } = await inspectDatabase(address, systemClock);
  const isUsable = tables !== 'newer' && tables !== 'forbidden';
  const isSafe = unsafe.length === 0;
  return [
    { check: 'database', state: 'ok', reason: 'connected', figure: version },
    { check: 'tables', state: isUsable ? 'ok' : 'bad', reason: `tables-${tables}` },
    isSafe
      ? { check: 'durability', state: 'ok', reason: 'durable' }
      : { check: 'durability', state: 'bad', reason: 'not-durable', figure: unsafe.join(', ') },
    host === undefined
      ? { check: 'leader', state: 'ok', reason: 'free' }
      : { check: 'leader', state: 'ok', reason: 'taken', figure: host },
  ];
}

function addressIn(RED: NodeAPI, id: string, body: unknown): string {
  const parsed = request.safeParse(body);
  if (!parsed.success) throw new InputError('journal', 'the fields of its dialog', undefined);
  const { address: typed } = parsed.data.draft;
  if (typed !== undefined) return configText('address of the database', withVariable(RED, typed));
  const { settings } = (RED.nodes.getNode(id) ?? {}) as Partial<JournalNode>;
  const address = settings !== undefined && 'address' in settings ? settings.address : '';
  if (address === '') throw new ConfigurationError('the journal has no address of a database yet');
  return address;
}
