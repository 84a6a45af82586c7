import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ROOT } from '../harness/node-red.js';
import { placeholdersOf, type Texts, textsOf } from './locale-reader.js';

/** Keeps the virtual terminal's page in the languages that the editor speaks. */

const FOLDER = join(ROOT, 'src/simulator/page/texts');
const ENGLISH = read('en-US');

/** Words that are spelt alike in English and that language. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  de: ['Terminal', 'Terminals', 'Callbacks', 'Debit', 'Prepaid', 'Offline', 'PIN', 'PIN {pin}', 's'],
  fr: ['Terminal', 'Signature', 'Type', 'Date', 'Total', 'Capture', 's'],
  'es-ES': ['Terminal', 'Callbacks', 'No', 'PIN', 'PIN {pin}', 'Total', 'Back office', 's'],
  ja: ['PIN', 'PIN {pin}'],
};

test('the page speaks the languages of the editor', () => {
  const languages = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
  assert.deepEqual(languages.sort(), readdirSync(join(ROOT, 'locales')).sort());
});

for (const [language, shared] of Object.entries(SAME)) {
  describe(`the page in ${language}`, () => {
    const texts = read(language);

    test('has the keys of English, in its order', () => {
      assert.deepEqual([...texts.keys()], [...ENGLISH.keys()]);
    });

    test('keeps the placeholders of English, and leaves nothing empty', () => {
      for (const [key, text] of ENGLISH) {
        assert.deepEqual(placeholdersOf(texts.get(key) ?? ''), placeholdersOf(text), key);
        assert.notEqual(texts.get(key)?.trim(), '', key);
      }
    });

    test('is translated', () => {
      const left = [...texts].filter(([key, text]) => text === ENGLISH.get(key) && !shared.includes(text));
      assert.deepEqual(left, []);
    });

    test('shares no word with English in vain', () => {
      assert.deepEqual(
        shared.filter((word) => ![...texts].some(([key, text]) => text === word && ENGLISH.get(key) === word)),
        [],
      );
    });
  });
}

function read(language: string): Texts {
  return textsOf(JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')));
}
