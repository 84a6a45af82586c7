import type { FaultKind, Variants } from '../../src/simulator/index.js';
import { ACTOR_NAMES, ACTORS_IN_SITUATIONS_ALONE, type ActorName } from './actors/names.js';
import type { Draw } from './draw.js';
import { DRAWN_APART, hostileFaults, hostileReadings, RARELY } from './readings.js';

/**
 * `today`: nobody else at work, and one reading of the service. `hostile`: every actor and every reading, a random half of each in a seed.
 * `fleet`: several processes share a journal, and any of them is struck.
 */
export const WORLD_NAMES = ['today', 'hostile', 'fleet'] as const;

export type WorldName = (typeof WORLD_NAMES)[number];

export const DEFAULT_WORLD: WorldName = 'hostile';

/** What a hostile seed switches on. */
export interface Hostility {
  actors: ReadonlySet<ActorName>;
  variants: Partial<Variants>;
  faults: readonly FaultKind[];
  /** Of the messages. */
  currencies: readonly [string, ...string[]];
}

/** @param apart see `readings.ts` */
export function hostilityOf(draw: Draw, apart: Draw): Hostility {
  const actors = new Set(
    ACTOR_NAMES.filter(
      (name) =>
        !ACTORS_IN_SITUATIONS_ALONE.has(name) && (DRAWN_APART.has(name) ? apart.chance(RARELY) : draw.chance(0.5)),
    ),
  );
  return {
    actors,
    variants: hostileReadings(draw, apart),
    faults: hostileFaults(draw, apart),
    currencies: actors.has('other-currencies') ? ['EUR', 'JPY', 'KWD'] : ['EUR'],
  };
}
