import { afterLostAnswer, afterThrottling } from '../bad-moments.js';
import type { Actor } from './actor.js';

const MINUTE = 60_000;

/** The machine sleeps for minutes or hours: the process knows of that time by its wall clock alone. */
export const sleeper: Actor = ({ world, play, draw, span }) => {
  const ms = draw.scale(MINUTE, 120 * MINUTE);
  const act = (): void => {
    if (!world.process.alive) return;
    world.acts.add('sleeper');
    world.note?.(`the machine sleeps for ${ms} ms`);
    world.freeze(ms, true);
  };
  if (play.strikesAfter429) {
    afterThrottling(world, draw, act);
    return;
  }
  if (draw.chance(0.5)) afterLostAnswer(world, draw, act);
  world.clock.after(draw.int(0, span) + draw.scale(10, 10 * MINUTE), act);
};
