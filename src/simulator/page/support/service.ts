import type { View } from '../../control/view.js';
import { keptByEditor } from './kept-by-editor.js';

/** The page's client for the simulators' control endpoints. */

export interface SimulatorAddress {
  id: string;
  name: string;
  /** Address of its control endpoints, relative to this page. */
  control: string;
}

export class NotAllowedError extends Error {}

/**
 * Lists the simulators that this page may show.
 * @throws NotAllowedError without the permission to see them
 */
export async function listSimulators(): Promise<SimulatorAddress[]> {
  const answer = await fetch('simulators', { headers: authorisation(), cache: 'no-store' });
  if (answer.status === 401 || answer.status === 403) throw new NotAllowedError();
  if (!answer.ok) throw new Error(`simulators: ${answer.status}`);
  return answer.json();
}

/** The outcome of an action; `useless` if it does not fit the terminal's present screen. */
export type ActionOutcome = 'done' | 'useless' | 'forbidden' | 'failed';

export async function post(control: string, path: string, body: object): Promise<ActionOutcome> {
  try {
    const answer = await fetch(`${control}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorisation() },
      body: JSON.stringify(body),
    });
    if (answer.ok) return 'done';
    if (answer.status === 401 || answer.status === 403) return 'forbidden';
    return answer.status === 409 ? 'useless' : 'failed';
  } catch {
    return 'failed';
  }
}

const FIRST_VIEW_WITHIN = 4_000;
const RECONNECT_AFTER = 1_000;
const POLL_EVERY = 1_000;

/**
 * Follows a simulator's view: as a stream, or by polling every second where a proxy holds a stream back. Ends when
 * `signal` aborts.
 * @param show is called with `undefined` while the simulator is unreachable
 */
export async function follow(
  control: string,
  show: (view: View | undefined) => void,
  signal: AbortSignal,
): Promise<void> {
  let isStreaming = true;
  while (!signal.aborted) {
    try {
      if (isStreaming) isStreaming = await stream(control, show, signal);
      else await poll(control, show, signal);
    } catch {
      if (!signal.aborted) show(undefined);
    }
    await pause(isStreaming ? RECONNECT_AFTER : POLL_EVERY);
  }
}

/** False if nothing arrived in time. */
async function stream(control: string, show: (view: View) => void, signal: AbortSignal): Promise<boolean> {
  const ended = new AbortController();
  const abort = (): void => ended.abort();
  signal.addEventListener('abort', abort);
  let seen = false;
  const deadline = setTimeout(() => {
    if (!seen) abort();
  }, FIRST_VIEW_WITHIN);
  try {
    const answer = await fetch(`${control}/events`, { headers: authorisation(), signal: ended.signal });
    if (!answer.ok || answer.body === null) throw new Error(`events: ${answer.status}`);
    for await (const data of eventsOf(answer.body)) {
      seen = true;
      show(JSON.parse(data));
    }
    return true;
  } catch (error) {
    if (!seen && ended.signal.aborted && !signal.aborted) return false;
    throw error;
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', abort);
  }
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      if (event.startsWith('data: ')) yield event.slice(6);
    }
  }
}

async function poll(control: string, show: (view: View) => void, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`${control}/view`, { headers: authorisation(), cache: 'no-store', signal });
  if (!answer.ok) throw new Error(`view: ${answer.status}`);
  show(await answer.json());
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Inside Node-RED: the access token of the editor at the same address. */
function authorisation(): Record<string, string> {
  const kept = keptByEditor((root) => `auth-tokens${root.replaceAll('/', '-')}`);
  try {
    const token = (JSON.parse(kept ?? 'null') as { access_token?: unknown } | null)?.access_token;
    return typeof token === 'string' ? { authorization: `Bearer ${token}` } : {};
  } catch {
    return {};
  }
}
