import { createRequire } from 'node:module';
import { NODE_RED } from '../harness/node-red.js';

type Answer = (error: null, value: unknown) => void;

interface Contexts {
  init(settings: object): void;
  load(): Promise<void>;
}

const contexts: Contexts = createRequire(NODE_RED)('@node-red/runtime/lib/nodes/context');

/** Reads the amount from the store of {@link heldContext}. */
export const HELD_AMOUNT = { amount: '#:(held)::amount', amountType: 'flow' };

/** A context store of a Node-RED that has started, which answers only when it is told to, as one on another machine may. */
export async function heldContext() {
  const held: Answer[] = [];
  let note = (): void => undefined;
  const store = {
    open: async () => undefined,
    close: async () => undefined,
    clean: async () => undefined,
    delete: async () => undefined,
    keys: (_scope: string, answer: Answer) => answer(null, []),
    set: (_scope: string, _key: unknown, _value: unknown, answer: Answer) => answer(null, undefined),
    get: (_scope: string, _key: unknown, answer: Answer) => {
      held.push(answer);
      note();
    },
  };
  contexts.init({ contextStorage: { default: { module: 'memory' }, held: { module: () => store } } });
  await contexts.load();
  return {
    /** Resolves once so many are asking. */
    asked: (count = 1) =>
      new Promise<void>((resolve) => {
        note = () => held.length >= count && resolve();
        note();
      }),
    /** Answers the oldest question. */
    answer: (value: unknown) => held.shift()?.(null, value),
    async stop(): Promise<void> {
      contexts.init({});
      await contexts.load();
    },
  };
}
