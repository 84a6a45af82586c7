import type { Actor } from './actor.js';

/** A hundred payments without a card at once: a shop charges its subscribers. Or as many questions, where there is no token. */
export const burst: Actor = ({ world, play, draw, span }) => {
  const size = draw.pick([8, 8, 8, 16, 30, 100]);
  let isDone = false;
  world.listeners.push((asked, { payload }) => {
    if (isDone || payload.card.token === undefined || !payload.final) return;
    isDone = true;
    world.acts.add('burst');
    world.note?.(`a burst of ${size} payments by token`);
    for (let number = 1; number <= size; number++) play.payByToken(asked, `b${number}`);
  });
  world.clock.after(draw.int(0, span) + 60_000, () => {
    if (isDone) return;
    isDone = true;
    world.acts.add('burst');
    world.note?.(`a burst of ${size} questions`);
    for (let number = 1; number <= size; number++) play.askForBatch(`b${number}`);
  });
};
