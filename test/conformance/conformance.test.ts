import { after, describe, test } from 'node:test';
import { CHAPTERS } from './chapters.js';
import { closeNodes } from './nodes.js';

after(closeNodes);

for (const rows of CHAPTERS) {
  describe(rows[0]?.chapter ?? '', () => {
    for (const { what, proves } of rows) test(what, proves);
  });
}
