import type { ServerResponse } from 'node:http';
import type { Simulator } from '../simulator.js';
import { watch } from './watch.js';

/**
 * Streams the simulator's view as server-sent events until the client goes, or the simulator. The first holds everything, each later one
 * what has changed.
 */
export function streamViews(simulator: Simulator, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // Proxies that collect an answer before they pass it on would hold it back for good.
    'x-accel-buffering': 'no',
  });
  const stop = watch(simulator, (view) => response.write(`data: ${JSON.stringify(view)}\n\n`));
  const forget = simulator.ended.subscribe(() => response.end());
  response.on('close', () => {
    stop();
    forget();
  });
}
