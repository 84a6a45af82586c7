import { TERMINALS } from '../scenario.js';
import type { Actor } from './actor.js';

/** Somebody else closes the batch. */
export const otherTillBatch: Actor = ({ world, draw, span }) => {
  const { serial_number, terminal_type } = draw.pick(TERMINALS);
  for (let times = draw.int(1, 2); times > 0; times--) {
    world.clock.after(draw.int(0, span) + draw.scale(1000, 30 * 60_000), () => {
      world.acts.add('other-till-batch');
      world.note?.('another till closes the batch');
      world.others.post('/batch/close', { serialNumber: serial_number, deviceType: terminal_type });
    });
  }
};
