import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { startFlow, startService } from './flow.js';

/** As a function node makes it: none of the errors of this process. */
const FOREIGN: unknown = runInNewContext(`new Error('the order is not loaded')`);

const UNREADABLE = 'msg: expected properties that can be read without an error';

const THROWN: [what: string, thrown: unknown, message: string][] = [
  ['nothing', undefined, `${UNREADABLE}, got nothing`],
  ['null', null, `${UNREADABLE}, got null`],
  ['a text', 'not now', `${UNREADABLE}, got "not now"`],
  [
    'an error whose message throws',
    changedError({ get: thrower }),
    `${UNREADABLE}, got "an error whose text cannot be read"`,
  ],
  [
    'an error whose message is no text',
    changedError({ value: { code: 7 } }),
    `${UNREADABLE}, got "an error whose text cannot be read"`,
  ],
  ['an error of a function node', FOREIGN, 'the order is not loaded'],
];

for (const property of ['cancel', 'terminal']) {
  for (const [what, thrown, message] of THROWN) {
    test(`a message whose ${property} throws ${what} goes to Catch, and the next one is paid`, async (t) => {
      const service = await startService();
      const flow = await startFlow({ service });
      const { promise: escaped, forget } = rejection();
      t.after(async () => {
        forget();
        await flow.stop();
        await service.stop();
      });
      flow.send(
        Object.defineProperty({ payload: { amount: '10.00' } }, property, {
          enumerable: true,
          get() {
            throw thrown;
          },
        }),
      );
      const told = await Promise.race([flow.answer(), escaped]);
      assert.ok(told !== 'escaped', 'the rejection would end Node-RED');
      const { error } = told.msg as unknown as { error: { message: string } };
      assert.deepEqual([told.output, error.message.replace(/^\w*Error: /, '')], ['mistake', message]);
      assert.equal((await flow.run({ payload: { amount: '11.00' } })).output, 'done');
    });
  }
}

function changedError(message: PropertyDescriptor): Error {
  return Object.defineProperty(new Error('first'), 'message', message);
}

function thrower(): never {
  throw new Error('not to be read');
}

/** Resolves where a rejection is handled by nobody. */
function rejection(): { promise: Promise<'escaped'>; forget: () => void } {
  let forget = (): void => undefined;
  const promise = new Promise<'escaped'>((resolve) => {
    const note = (): void => resolve('escaped');
    process.on('unhandledRejection', note);
    forget = () => process.off('unhandledRejection', note);
  });
  return { promise, forget };
}
