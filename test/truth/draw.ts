import { seededRandom } from '../../src/simulator/index.js';

/** Everything a run leaves to chance, drawn from its seed. Each concern draws from a stream of its own. */
export class Draw {
  /** Draws from [0, 1). */
  readonly random: () => number;

  constructor(seed: number, concern: number) {
    this.random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(concern + 1, 0x85ebca6b));
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** A whole number, both ends included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  /** A whole number, small ones as likely as large ones. `least` at least 1. */
  scale(least: number, most: number): number {
    return Math.floor(least * (most / least) ** this.random());
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[Math.floor(this.random() * choices.length)] ?? choices[0];
  }
}
