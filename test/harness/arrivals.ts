import { createRequire } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import { NODE_RED } from './node-red.js';

// Of the runtime: a node hears of a message here even while a deploy is only just making it.
const { hooks } = createRequire(NODE_RED)('@node-red/util');

const HOOK = 'onReceive.arrivals';

/** Messages that arrive at a node of a real Node-RED, from now on. */
export function arrivals() {
  const nodes: string[] = [];
  hooks.add(HOOK, ({ destination }: { destination: { id: string } }) => void nodes.push(destination.id));
  return {
    /** Ids of the nodes they arrived at, once those on their way have arrived. */
    async at(): Promise<string[]> {
      for (let turns = 0; turns < 50; turns++) await turn();
      return [...nodes].sort();
    },
    forget(): void {
      nodes.length = 0;
    },
    stop: (): void => hooks.remove(HOOK),
  };
}
