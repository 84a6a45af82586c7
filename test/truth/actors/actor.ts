import type { Draw } from '../draw.js';
import type { Play } from '../play.js';
import type { World } from '../world.js';

/** Where an actor acts. */
export interface Stage {
  world: World;
  play: Play;
  /** Of this actor alone. */
  draw: Draw;
  /** Until then messages come, ms from the beginning. */
  span: number;
}

/** Somebody or something that makes the world hostile: sets its timers, or listens, before a run begins. */
export type Actor = (stage: Stage) => void;
