import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { variableIn, wholeVariable } from '../../src/nodes/form/variables.js';
import { environmentSettings } from '../../src/nodes/runtime/settings/environment-settings.js';

const TEXTS: [text: string, whole: string | undefined, within: string | undefined][] = [
  [`\${SECRET}`, 'SECRET', 'SECRET'],
  ['$(SECRET)', 'SECRET', 'SECRET'],
  [' $(SECRET) ', 'SECRET', 'SECRET'],
  [`https://\${HOST}/api`, undefined, 'HOST'],
  // Node-RED puts nothing in the place of these.
  ['https://$(HOST)/api', undefined, undefined],
  ['pa$(ss)word', undefined, undefined],
  ['$(not one)', undefined, undefined],
  ['$()', undefined, undefined],
  [`\${}`, undefined, undefined],
  ['$SECRET', undefined, undefined],
  ['', undefined, undefined],
];

describe('a variable in the text of a config node', () => {
  for (const [text, whole, within] of TEXTS) {
    test(`is found in ${JSON.stringify(text)} as Node-RED finds it`, () => {
      assert.deepEqual([wholeVariable(text), variableIn(text)], [whole, within]);
    });

    test(`is no secret of callbacks where it is not set: ${JSON.stringify(text)}`, () => {
      const settings = () => environmentSettings({ kind: 'simulator' }, { callbackSecret: text });
      const why = whole === undefined ? 'is only a part of the field' : 'is not set';
      const message = new RegExp(`^callback secret: the environment variable ${within} ${why}`);
      if (within === undefined) assert.equal(settings().callbackSecret, text);
      else assert.throws(settings, { name: 'ConfigurationError', message });
    });
  }
});
