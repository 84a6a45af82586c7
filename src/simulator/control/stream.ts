import type { ServerResponse } from 'node:http';
import type { Simulator } from '../simulator.js';
import { watch } from './watch.js';

/**
 * Streams the simulator's view as server-sent events until the client disconnects or the simulator stops. The first
 * event holds everything, each later one the changes.
 */
export function streamViews(simulator: Simulator, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // Stops proxies from buffering the stream.
    'x-accel-buffering': 'no',
  });
  const stop = watch(simulator, (view) => response.write(`data: ${JSON.stringify(view)}\n\n`));
  const forget = simulator.ended.subscribe(() => response.end());
  response.on('close', () => {
    stop();
    forget();
  });
}
