import { after, describe, test } from 'node:test';
import { CHAPTERS } from './chapters.js';
import { closeNodes } from './nodes.js';

for (const rows of CHAPTERS) {
  describe(rows[0]?.chapter ?? '', () => {
    after(closeNodes);
    for (const { what, proves } of rows) test(what, proves);
  });
}
