import assert from 'node:assert/strict';
import { InputError, RefusedError } from '../../src/core/base/errors.js';

/** One statement of the API description, and the assertion that proves it through a node or the client. */
export interface Row {
  chapter: string;
  what: string;
  proves: () => Promise<void>;
}

export function chapter(name: string, rows: Record<string, () => Promise<void>>): Row[] {
  return Object.entries(rows).map(([what, proves]) => ({ chapter: name, what, proves }));
}

/** The service refuses, with this code of its own. */
export async function refused(asked: Promise<unknown>, code: string | undefined, status = 400): Promise<RefusedError> {
  const error = await failure(asked);
  assert.ok(error instanceof RefusedError, String(error));
  assert.deepEqual([error.serviceCode, error.status], [code, status], error.message);
  return error;
}

/** The client refuses, naming the field. */
export async function mistaken(asked: Promise<unknown>, field: string): Promise<void> {
  const error = await failure(asked);
  assert.ok(error instanceof InputError, String(error));
  assert.equal(error.field, field, error.message);
}

function failure(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => assert.fail('it was not refused'),
    (error: unknown) => error,
  );
}

/** Every one of these names is a field of the body. */
export function has(body: object | undefined, names: string): void {
  const missing = names.split(' ').filter((name) => !(name in (body ?? {})));
  assert.deepEqual(missing, []);
}
