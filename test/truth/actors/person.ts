import type { Actor } from './actor.js';

const SECOND = 1000;
/** How often somebody looks at what the sidebar shows. */
const LOOKS = 200;

/** Somebody in front of the sidebar, who notes that a payment which goes back is dealt with. */
export const person: Actor = ({ world, draw, span }) => {
  const look = (left: number): void => {
    const open = [...world.disk.durable.values()].filter(
      ({ kind, state }) => kind === 'terminal' && state.phase === 'reversing',
    );
    for (const { operationId } of open) {
      if (!draw.chance(0.2)) continue;
      world.acts.add('person');
      world.handled.add(operationId);
      world.note?.(`a person has dealt with ${operationId}`);
      const annotation = {
        event: 'handled',
        at: world.clock.now(),
        by: 'person',
        note: 'dealt with',
        known: '',
      } as const;
      world.disk.annotate(operationId, annotation).catch((error) => world.note?.(String(error)));
    }
    if (left > 0) world.clock.after(Math.ceil((2 * span) / LOOKS) + SECOND, () => look(left - 1));
  };
  look(LOOKS);
};
