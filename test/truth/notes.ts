import type { HttpRequest } from '../../src/core/base/seams.js';
import { BASE_URL, STATUS_URL } from '../../src/simulator/index.js';

/** How lines of a timeline are written. */

export function nameOf({ url }: Pick<HttpRequest, 'url'>): string {
  return url.replace(BASE_URL, '').replace(STATUS_URL, '/status');
}

/** Seconds from the beginning of the run. */
export function stamp(ms: number): string {
  return (ms / 1000).toFixed(3).padStart(11);
}

export function digest(body: string): string {
  const finStatus = /"finStatus":"(\w+)"/.exec(body)?.[1];
  return finStatus ?? body.slice(0, 120);
}
