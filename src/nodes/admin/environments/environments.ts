import type { NodeAPI } from 'node-red';
import * as z from 'zod';
import type { Device } from '../../../core/api/devices.js';
import { commandTerminal, InputError, NotSentError, RefusedError, systemClock } from '../../../core/index.js';
import { failureIn } from '../../action/command-answer.js';
import { testConnection } from './connection-test.js';
import { withDraft } from './draft.js';

/** Answers the dialogs' requests about an environment, deployed or still a draft. */

const PING_MS = 15_000;
const LIST_MS = 20_000;

const address = z.object({ serial_number: z.string().min(1).max(64), terminal_type: z.string().min(1).max(64) });

export interface ListedDevice {
  serial_number: string;
  terminal_type: string;
}

/** The merchant's terminals, without the service's virtual one. @throws PaymentError */
export function devices(RED: NodeAPI, id: string, body: unknown): Promise<{ devices: ListedDevice[] }> {
  return withDraft(RED, id, body, async ({ client }) => {
    const listed = await client.devices.list({ signal: AbortSignal.timeout(LIST_MS) });
    return { devices: listed.filter(({ virtual }) => !virtual).map(addressOf) };
  });
}

export type PingAnswer = { answers: boolean; busy?: boolean; why?: string };

/** Whether a terminal answers. @throws PaymentError where that stays unknown */
export function ping(RED: NodeAPI, id: string, body: unknown): Promise<PingAnswer> {
  const parsed = address.safeParse(body);
  if (!parsed.success) throw new InputError('terminal', 'serial_number and terminal_type', undefined);
  return withDraft(RED, id, body, async ({ client }) => {
    const request = { operation: 'pingDevice' as const, ...parsed.data };
    try {
      const answer = await commandTerminal(client, systemClock, request, AbortSignal.timeout(PING_MS));
      const { isDone = false, result } = answer ?? {};
      return { answers: isDone, ...(result && !isDone && { why: failureIn(result.raw).message }) };
    } catch (error) {
      if (error instanceof RefusedError) {
        return error.serviceCode === '1001' ? { answers: true, busy: true } : { answers: false, why: error.message };
      }
      if (error instanceof NotSentError) return { answers: false, why: error.message };
      throw error;
    }
  });
}

/** Checks everything that a payment needs of an environment. A failed check is part of the answer, not an error. */
export function test(RED: NodeAPI, id: string, body: unknown): Promise<object> {
  return testConnection(RED, id, body);
}

function addressOf({ serial_number, terminal_type }: Device): ListedDevice {
  return { serial_number, terminal_type };
}
