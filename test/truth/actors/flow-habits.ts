import type { Actor } from './actor.js';

/** The flow asks for two changes of one payment at once. */
export const twoAtOnce: Actor = ({ play }) => {
  play.asksForTwo = true;
};

/** The flow sends the same again wherever it is told that this is safe. */
export const obeysRetry: Actor = ({ play }) => {
  play.obeysRetry = true;
};
