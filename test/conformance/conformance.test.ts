import { describe, test } from 'node:test';
import { CHAPTERS } from './chapters.js';

for (const rows of CHAPTERS) {
  describe(rows[0]?.chapter ?? '', () => {
    for (const { what, proves } of rows) test(what, proves);
  });
}
