import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Form } from '../../src/nodes/form/form.js';
import { ROOT } from '../harness/node-red.js';
import { helpOf, placeholdersOf, type Texts, textsOf } from './locale-reader.js';
import { isSameInEveryLanguage, SAME } from './locales-same.js';

/** Keeps every language in step with English, in which texts are written first. */

const LOCALES = join(ROOT, 'locales');
const FILES = readdirSync(join(LOCALES, 'en-US')).sort();

/** Inputs, outputs, details and references, as Node-RED's own help calls them in each language. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'en-US': ['Inputs', 'Outputs', 'Details', 'References'],
  de: ['Eingangsdaten', 'Ausgangsdaten', 'Details', 'Referenzen'],
  fr: ['Entrées', 'Sorties', 'Détails', 'Références'],
  'es-ES': ['Entradas', 'Salidas', 'Detalles', 'Referencias'],
  ja: ['入力', '出力', '詳細', '参考'],
};

test('is there in the languages that have words for the sections of help', () => {
  assert.deepEqual(readdirSync(LOCALES).sort(), Object.keys(SECTIONS).sort());
});

for (const language of readdirSync(LOCALES)) {
  describe(`the texts in ${language}`, () => {
    const files = readdirSync(join(LOCALES, language)).sort();

    test('are in the files that English has', () => {
      assert.deepEqual(files, FILES);
    });

    for (const file of FILES.filter((one) => files.includes(one))) {
      if (file.endsWith('.json')) checkTexts(language, file);
      else checkHelp(language, file);
    }
  });
}

function checkTexts(language: string, file: string): void {
  const english = readTexts('en-US', file);
  const texts = readTexts(language, file);

  test(`${file} has the keys of English, in its order`, () => {
    assert.deepEqual([...texts.keys()], [...english.keys()]);
  });

  test(`${file} keeps the placeholders and code of English`, () => {
    for (const [key, text] of english)
      assert.deepEqual(placeholdersOf(texts.get(key) ?? ''), placeholdersOf(text), key);
  });

  test(`${file} has no text that is empty`, () => {
    for (const [key, text] of texts) assert.notEqual(text.trim(), '', key);
  });

  if (language === 'en-US') return;
  test(`${file} is translated`, () => {
    const left = [...texts].filter(([key, text]) => text === english.get(key) && !isSameInEveryLanguage(key, text));
    const allowed = SAME[language] ?? [];
    assert.deepEqual(
      left.map(([, text]) => text).filter((text) => !allowed.includes(text)),
      [],
    );
  });
}

function checkHelp(language: string, file: string): void {
  const english = helpOf(read('en-US', file));
  const help = helpOf(read(language, file));

  test(`${file} has the sections of Node-RED's own help`, () => {
    assert.deepEqual(help.sections, SECTIONS[language]);
  });

  test(`${file} names the properties and their types that English names, in every section`, () => {
    assert.deepEqual(help.properties, english.properties);
  });

  test(`${file} has properties that the editor can show`, () => {
    assert.deepEqual(help.unreadable, []);
  });

  test(`${file} has the outputs, lists and paragraphs of English`, () => {
    assert.deepEqual(help.shape, english.shape);
  });

  test(`${file} calls the outputs what their ports are called`, async () => {
    const node = file.replace('.md', '');
    const { default: form } = (await import(`../../src/nodes/${node}.form.js`)) as { default: Form };
    const labels = new Map([...readTexts(language, 'common.json'), ...readTexts(language, `${node}.json`)]);
    assert.deepEqual(
      help.outputs,
      [...form.outputs, ...(form.extraOutput === undefined ? [] : [form.extraOutput])].map(
        (name) => labels.get(`output.${name}`)?.split(/\s?[:：]/)[0],
      ),
    );
  });

  test(`${file} keeps the code of English`, () => {
    assert.deepEqual(help.code, english.code);
  });

  if (language === 'en-US') return;
  test(`${file} is translated`, () => {
    const left = help.sentences.filter((sentence) => english.sentences.includes(sentence));
    assert.deepEqual(left, []);
  });
}

function readTexts(language: string, file: string): Texts {
  return textsOf(JSON.parse(read(language, file)));
}

function read(language: string, file: string): string {
  return readFileSync(join(LOCALES, language, file), 'utf8');
}
