import { afterUnknown } from '../bad-moments.js';
import type { Actor } from './actor.js';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

/** Somebody switches the machine off, and on again hours or days later: some of it longer than an open payment is watched. */
export const longDowntime: Actor = ({ world, draw, span }) => {
  world.downtimes = Array.from({ length: 8 }, () => draw.pick([draw.scale(2000, HOUR), draw.scale(HOUR, 5 * DAY)]));
  const switchOff = (): void => {
    world.acts.add('long-downtime');
    world.crash();
  };
  if (draw.chance(0.5)) afterUnknown(world, draw, switchOff);
  else world.clock.after(draw.int(0, span) + draw.scale(10, 10 * 60_000), switchOff);
};
