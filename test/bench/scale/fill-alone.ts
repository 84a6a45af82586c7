import { writeFile } from 'node:fs/promises';
import { fill } from './fill.js';

/** Fills a journal in a process of its own: neither its memory nor its compiler is at work when the journal is measured. */
async function main(folder: string, path: string, records: string, open: string): Promise<void> {
  const environments = Array.from({ length: 10 }, (_, number) => `environment-${number}`);
  await writeFile(path, JSON.stringify(await fill(folder, Number(records), Number(open), environments)));
}

const [, , folder = '', path = '', records = '', open = ''] = process.argv;
void main(folder, path, records, open);
