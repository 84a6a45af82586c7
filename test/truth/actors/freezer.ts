import type { Actor } from './actor.js';

/** The machine stops the process for up to an hour, as a laptop that sleeps or a virtual machine that moves does. */
export const freezer: Actor = ({ world, draw, span }) => {
  for (let times = draw.int(1, 3); times > 0; times--) {
    const ms = draw.scale(1000, 60 * 60_000);
    world.clock.after(draw.int(0, span) + draw.scale(10, 10 * 60_000), () => {
      if (!world.process.alive) return;
      world.acts.add('freezer');
      world.note?.(`the process is frozen for ${ms} ms`);
      world.freeze(ms);
    });
  }
};
