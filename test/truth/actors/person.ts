import type { World } from '../world.js';
import type { Actor } from './actor.js';

const SECOND = 1000;
/** How often somebody looks at what the sidebar shows. */
const LOOKS = 200;

function note(world: World, operationId: string): void {
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

/** Somebody in front of the sidebar, who notes that a payment which goes back is dealt with. */
export const person: Actor = ({ world, draw, span }) => {
  const look = (left: number): void => {
    const open = [...world.disk.durable.values()].filter(
      ({ kind, state }) => kind === 'terminal' && state.phase === 'reversing',
    );
    for (const { operationId } of open) {
      if (!draw.chance(0.2)) continue;
      world.acts.add('person');
      note(world, operationId);
    }
    if (left > 0) world.clock.after(Math.ceil((2 * span) / LOOKS) + SECOND, () => look(left - 1));
  };
  look(LOOKS);
};

/** The same, right when it begins to go back: the note is there before the request for the reversal leaves. */
export const quickPerson: Actor = ({ world, draw }) => {
  world.transitionListeners.push((_id, asked) => {
    const record = world.disk.of(asked.id);
    if (record?.kind !== 'terminal' || record.state.phase !== 'reversing') return;
    if (world.handled.has(record.operationId) || !draw.chance(0.8)) return;
    world.acts.add('quick-person');
    note(world, record.operationId);
  });
};
