import type { Clock, Send } from '../../src/core/base/seams.js';
import { Simulator, seededIds, type Variants } from '../../src/simulator/index.js';
import { fumbler, regular, shopper, uneven } from './cardholder.js';
import { Draw } from './draw.js';
import { OTHER_KEY } from './other-systems.js';
import type { Scenario } from './scenario.js';

/** The flow's API key. As long as a real one, so that what hides keys finds it. */
export const KEY = 'key-of-the-truth-test';

/** Another key of the same merchant, where the flow's is revoked some time. */
export const SECOND_KEY = 'second-key-of-the-truth-test';

/** The service of a seed, and the people at its terminals. */
export function simulatorFor(
  { seed, hostility, fumbles, isQuick, isUneven, statusLagMs, variants, merchant, scheme }: Scenario,
  clock: Clock,
  deliver: Send,
  onVariant: (name: keyof Variants) => void,
): Simulator {
  return new Simulator({
    clock,
    newId: seededIds(new Draw(seed, 3).random),
    random: new Draw(seed, 4).random,
    deliver,
    cardholder: (fumbles ? fumbler : isUneven ? uneven : isQuick ? regular : shopper)(new Draw(seed, 5), scheme),
    timings: { statusLagMs },
    variants,
    onVariant,
    merchants: [{ ...merchant, keys: hostility === undefined ? [KEY] : [KEY, OTHER_KEY] }],
  });
}
