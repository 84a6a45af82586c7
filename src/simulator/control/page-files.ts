import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, NOT_FOUND } from '../wire/errors.js';

/** The static files of the virtual terminal's page. They hold no data; the page reads it from the control endpoints. */

export type PageFile = Pick<Answer, 'status' | 'body'> & { headers: Readonly<Record<string, string>> };

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Reads one file of the page; an empty name is the page itself. The build puts the files into `folder`. */
export async function pageFile(name: string, folder = join(__dirname, '../page')): Promise<PageFile> {
  const file = name === '' ? 'index.html' : name;
  const ending = /^(?:[a-z]+\/)?[\w-]+\.(html|js|css|json|svg)$/i.exec(file)?.[1] ?? '';
  const type = TYPES[ending];
  const body = type === undefined ? undefined : await readFile(join(folder, file), 'utf8').catch(() => undefined);
  if (type === undefined || body === undefined) {
    return { status: 404, body: NOT_FOUND.body, headers: { 'content-type': 'application/json' } };
  }
  return {
    status: 200,
    body,
    headers: {
      'content-type': type,
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
  };
}
