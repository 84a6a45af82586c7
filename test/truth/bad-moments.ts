import { Draw } from './draw.js';
import type { Asked } from './flow.js';
import type { World } from './world.js';

/** After these somebody may have done what nobody has an answer to. */
const LOST: ReadonlySet<string> = new Set(['back-office answer-lost', 'back-office reconciliation-started']);
const REFUSED: ReadonlySet<string> = new Set(['terminal throttled', 'terminal terminal-busy']);
const THROTTLED: ReadonlySet<string> = new Set(['back-office throttled']);
const BEGUN: ReadonlySet<string> = new Set(['terminal accepted', 'terminal answer-lost']);
const LISTENING: ReadonlySet<string> = new Set(['terminal busy-unproven', 'terminal attempts-unproven']);
const WAITING: ReadonlySet<string> = new Set(['back-office waiting-for-rate-limit']);
const GIVEN_UP: ReadonlySet<string> = new Set(['back-office unknown', 'terminal unknown']);

type Moments = ReadonlySet<string>;

/**
 * What has to happen at the right moment would hardly ever be met by chance: once, some time after one of `moments`, it
 * happens. @param longest ms
 */
function onceAfter(world: World, draw: Draw, moments: Moments, longest: number, act: (asked: Asked) => void): void {
  let isOver = false;
  world.transitionListeners.push((id, asked) => {
    if (isOver || !moments.has(id)) return;
    isOver = true;
    world.clock.after(draw.scale(1, longest), () => act(asked));
  });
}

/** The flow takes something back whose answer was just lost. */
export function impatience(world: World, seed: number): void {
  const draw = new Draw(seed, 31);
  if (draw.chance(0.6)) onceAfter(world, draw, LOST, 3000, (asked) => world.cancel(asked));
}

/** Until what the status service does not show was certainly not done. */
const DARKNESS = 400_000;

/** Nobody can be asked what became of what was just lost. */
export function darkness(world: World): void {
  world.transitionListeners.push((id) => {
    if (id !== 'back-office reconciliation-started') return;
    world.outages.push({ from: world.time, until: world.time + DARKNESS, kind: 'lost', target: 'status' });
  });
}

/** Soon after an answer was lost. */
export function afterLostAnswer(world: World, draw: Draw, act: () => void): void {
  onceAfter(world, draw, LOST, 10_000, act);
}

/** Right after an attempt was refused for now. */
export function afterRefusal(world: World, draw: Draw, act: () => void): void {
  onceAfter(world, draw, REFUSED, 1000, act);
}

/** While a terminal is at work on a payment. */
export function afterStart(world: World, draw: Draw, act: () => void): void {
  onceAfter(world, draw, BEGUN, 20_000, act);
}

/** While an attempt may still begin although the flow was told "no". */
export function afterNo(world: World, draw: Draw, act: () => void): void {
  onceAfter(world, draw, LISTENING, 60_000, act);
}

/** Right after something that needs no terminal was refused for now. */
export function afterThrottling(world: World, draw: Draw, act: () => void): void {
  onceAfter(world, draw, THROTTLED, 500, act);
}

/** While something that needs no terminal waits for the rate limit. */
export function afterWaiting(world: World, draw: Draw, act: () => void): void {
  onceAfter(world, draw, WAITING, 5000, act);
}

/** Soon after the flow was told that nobody knows. */
export function afterUnknown(world: World, draw: Draw, act: () => void): void {
  onceAfter(world, draw, GIVEN_UP, 60_000, act);
}
