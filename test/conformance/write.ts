import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pages } from './pages.js';

for (const { path, text } of pages()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
