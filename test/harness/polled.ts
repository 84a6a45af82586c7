import type { Simulator } from '../../src/simulator/index.js';

/** Resolves once a result is polled for: by then whoever asks has noted the answer to its order. */
export function polled({ faults }: Pick<Simulator, 'faults'>): Promise<void> {
  return new Promise((resolve) => {
    faults.decideBy(({ moment }) => {
      if (moment === 'poll') resolve();
      return undefined;
    });
  });
}
