import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { type FolderInputs, journalFolder } from '../../../src/core/journal/lmdb/folder.js';

const HOST: FolderInputs = { env: {}, flowfuse: false, cwd: '/app', userDir: '/data' };
const FLOWFUSE: FolderInputs = { env: {}, flowfuse: true, cwd: '/data/storage', userDir: '/data' };

describe("the journal's folder", () => {
  const rows: [string, FolderInputs, string][] = [
    ['lies in the user folder unless told', HOST, '/data/payment-journal'],
    ['lies in what lasts on FlowFuse', FLOWFUSE, '/data/storage/payment-journal'],
    ['lies in the user folder on a FlowFuse without storage', { ...FLOWFUSE, cwd: '/app' }, '/data/payment-journal'],
    ['lies in the user folder where only the name is storage', { ...HOST, cwd: '/x/storage' }, '/data/payment-journal'],
    ['is what the variable says', { ...FLOWFUSE, env: { CLOUD_TERMINAL_JOURNAL: '/disk' } }, '/disk'],
    [
      'is what the setting says, before all else',
      { ...FLOWFUSE, setting: '/own', env: { CLOUD_TERMINAL_JOURNAL: '/disk' } },
      '/own',
    ],
    ['is relative to the user folder', { ...HOST, setting: 'own/journal' }, '/data/own/journal'],
    [
      'ignores an empty setting and an empty variable',
      { ...HOST, setting: '', env: { CLOUD_TERMINAL_JOURNAL: '' } },
      '/data/payment-journal',
    ],
  ];
  for (const [sentence, inputs, folder] of rows) {
    it(sentence, () => assert.equal(journalFolder(inputs), resolve(folder)));
  }
});
