import { OTHER_REFERENCE } from '../other-systems.js';
import { TERMINALS } from '../scenario.js';
import type { Actor } from './actor.js';

/** Another till uses our terminals: a sale of its own, and a stop, which hits whatever runs there. */
export const otherTillTerminal: Actor = ({ world, draw, span }) => {
  const act = (): void => {
    const terminal = draw.pick([TERMINALS[0], ...TERMINALS]);
    const body = draw.pick([
      { operation: 'sale', amount: '1000', currency: 'EUR', customerReference: OTHER_REFERENCE },
      { operation: 'stopCurrentTransaction' },
    ]);
    world.acts.add('other-till-terminal');
    world.note?.(`another till: ${body.operation} on ${terminal.serial_number}`);
    world.others.post('/transactions', { ...terminal, ...body });
  };
  for (let times = draw.int(1, 4); times > 0; times--) {
    world.clock.after(draw.int(0, span) + draw.scale(1, 120_000), act);
  }
};
