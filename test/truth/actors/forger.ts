import type { Actor } from './actor.js';

/** Somebody who knows the address posts results that no terminal sent. */
export const forger: Actor = ({ world, draw, span }) => {
  const act = async (): Promise<void> => {
    const known = [...world.disk.durable.values()].flatMap(({ references }) => references);
    const attemptId = draw.pick(['00000000-0000-4000-8000-000000000000', ...known]);
    const finStatus = draw.pick(['AUTHORISED', 'DECLINED', 'CANCELLED', 'PARTIAL_APPROVAL']);
    const token = draw.pick([undefined, '', 'x', 'f'.repeat(64)]);
    const body = JSON.stringify({ finStatus, statusMessage: '', totalAmount: '1000', currency: 'EUR' });
    const answer = await world.callback(attemptId, token, body);
    if (answer === undefined) return;
    world.acts.add('forger');
    world.note?.(`forged callback for ${attemptId}: ${answer}`);
    if (answer === 'taken') world.violations.push(`a forged callback for ${attemptId} was taken`);
  };
  for (let times = draw.int(1, 6); times > 0; times--) {
    world.clock.after(draw.int(0, span) + draw.scale(10, 5 * 60_000), () => void act());
  }
};
