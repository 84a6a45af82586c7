import type { FaultKind } from '../../src/simulator/index.js';
import type { ActorName } from './actors/names.js';
import type { Scenario } from './scenario.js';

const DISTURBING: ReadonlySet<ActorName> = new Set<ActorName>([
  'wrong-clock',
  'jumping-clock',
  'freezer',
  'sleeper',
  'long-downtime',
  'read-only-journal',
  'lost-folder',
  'restored-backup',
]);

/**
 * Nothing else goes wrong, so that payments run to their ends, and the process is there to learn of them.
 * @param isAlone nobody else uses the terminals
 */
export function undisturbed(scenario: Scenario, faults: readonly FaultKind[], isAlone = false): Scenario {
  const { hostility } = scenario;
  const nothing = { faultRate: 0, upsets: [], deaths: [], outages: [], troubles: [], fullDisk: [] };
  if (hostility === undefined) return { ...scenario, ...nothing };
  const actors = new Set(
    [...hostility.actors].filter((name) => !DISTURBING.has(name) && !(isAlone && name === 'other-till-terminal')),
  );
  return {
    ...scenario,
    ...nothing,
    hostility: { ...hostility, actors, faults },
  };
}
