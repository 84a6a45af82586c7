import { afterLostAnswer } from '../bad-moments.js';
import type { Draw } from '../draw.js';
import type { Actor } from './actor.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function skew(draw: Draw): number {
  const ms = draw.scale(1000, draw.pick([MINUTE, HOUR, 3 * DAY]));
  return draw.chance(0.5) ? ms : -ms;
}

/** The clock of the machine is wrong at the start of a life: ahead, behind, or at 1970 until a time server corrects it. */
export const wrongClock: Actor = ({ world, play, draw }) => {
  const skews = Array.from({ length: 12 }, () =>
    draw.pick([0, 0, skew(draw), skew(draw), draw.int(0, HOUR) - world.origin]),
  );
  // Nobody could tell a backup from the present if the clock went back with it.
  const forward = skews.map((ms) => Math.abs(ms) % (3 * DAY)).sort((a, b) => a - b);
  world.skewOf = (life) => {
    const ms = play.isOn('restored-backup') ? forward[Math.min(life, forward.length - 1)] : skews[life % skews.length];
    if (ms === undefined || ms === 0) return 0;
    world.acts.add('wrong-clock');
    world.note?.(`the clock is off by ${ms} ms`);
    if (draw.chance(0.7)) {
      world.clock.after(draw.scale(1000, 10 * MINUTE), () => {
        const { process } = world;
        if (process.alive && process.number === life) process.moveClock(-process.skew);
      });
    }
    return ms;
  };
};

/** The machine has no battery for its clock: that stands in 1970 when a life begins, but where a time server was quicker. */
export const unsetClock: Actor = ({ world, draw }) => {
  const ms = Array.from({ length: 12 }, () => (draw.chance(0.5) ? 0 : draw.int(0, HOUR) - world.origin));
  world.skewOf = (life) => {
    const skewed = ms[life % ms.length] ?? 0;
    if (skewed === 0) return 0;
    world.acts.add('unset-clock');
    world.note?.('the clock has not been set');
    return skewed;
  };
};

/** The clock of the machine jumps while the process runs. */
export const jumpingClock: Actor = ({ world, play, draw, span }) => {
  for (let times = draw.int(1, 3); times > 0; times--) {
    const drawn = skew(draw);
    const ms = play.isOn('restored-backup') ? Math.abs(drawn) : drawn;
    const jump = (): void => {
      const { process } = world;
      if (!process.alive) return;
      world.acts.add('jumping-clock');
      world.note?.(`the clock jumps by ${ms} ms`);
      process.moveClock(ms);
    };
    if (draw.chance(0.4)) afterLostAnswer(world, draw, jump);
    else world.clock.after(draw.int(0, span) + draw.scale(1000, 10 * MINUTE), jump);
  }
};
