import * as z from 'zod';
import { redactText } from '../../../core/base/privacy/redact.js';
import { InputError } from '../../../core/index.js';
import { find } from '../operations/found.js';

/** A person says that an operation has been dealt with, or takes that back. */

const LONGEST_NOTE = 500;

const body = z.object({ note: z.string().transform((note) => redactText(note.trim())) });

/**
 * @param by the editor's user
 * @throws InputError, JournalError
 */
export async function handle(operationId: string, by: string, asked: unknown): Promise<object | undefined> {
  const parsed = body.safeParse(asked);
  const note = parsed.success ? parsed.data.note : '';
  if (note === '' || note.length > LONGEST_NOTE)
    throw new InputError('note', `1 to ${LONGEST_NOTE} characters`, note.length);
  return say(operationId, { event: 'handled', by, note });
}

/** @throws JournalError */
export function withdrawHandled(operationId: string, by: string): Promise<object | undefined> {
  return say(operationId, { event: 'handled-withdrawn', by, note: '' });
}

async function say(
  operationId: string,
  said: { event: 'handled' | 'handled-withdrawn'; by: string; note: string },
): Promise<object | undefined> {
  const found = await find(operationId);
  if (found === undefined) return undefined;
  await found.engine.annotate(found.record, said);
  return {};
}
