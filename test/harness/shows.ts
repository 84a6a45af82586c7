import type { Terminal } from '../../src/simulator/index.js';

/** Resolves once the terminal shows this stage, at once where it does already. */
export function shows(terminal: Terminal, stage: string): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = terminal.subscribe(look);
    function look(): void {
      if (terminal.screen.stage !== stage) return;
      unsubscribe();
      resolve();
    }
    look();
  });
}
