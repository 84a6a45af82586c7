import { writeFileSync } from 'node:fs';
import { page } from './page.js';

const { path, text } = page();
writeFileSync(path, text);
