import type { Asked } from '../flow.js';
import { operationOf } from '../flow.js';
import type { Chain, Play } from '../play.js';
import type { World } from '../world.js';
import { amounts } from './amounts.js';
import { alarms, answered, calm, sequence } from './answers.js';
import { type Case, casesOf } from './case.js';
import { contract } from './contract.js';
import { deadline } from './deadline.js';
import { ending } from './ending.js';
import { goneRecord } from './gone-record.js';
import { inTime } from './in-time.js';
import { lastQuestion } from './last-question.js';
import { balance, orders, truth } from './money.js';
import { policy } from './policy.js';
import { replacesAnothers, tooMuchBack } from './too-much-back.js';

/** Compares all that the flow was told with what the bank has: at every moment from the telling on. */
export function judge(world: World, { chains, orders: asked }: Play): string[] {
  const violations = [...world.violations, ...world.inspector.violations, ...world.standstill.violations];
  for (const chain of chains) violations.push(...ofChain(world, chain));
  if (world.isHostile) {
    for (const messages of asked.values()) violations.push(...orders(world, messages));
  }
  violations.push(...world.leftovers());
  return violations;
}

function ofChain(world: World, chain: Chain): string[] {
  const cases = casesOf(world, chain);
  const found = cases.flatMap((one) =>
    [...ofCase(world, one, chain.isMixed)].map((text) => `${label(one.asked)}: ${text}`),
  );
  found.push(...[...tooMuchBack(world, cases)].map((text) => `${label(chain.root)}: ${text}`));
  if (world.isHostile) found.push(...[...balance(world, cases)].map((text) => `${label(chain.root)}: ${text}`));
  return found;
}

function* ofCase(world: World, one: Case, isMixed: boolean): Generator<string> {
  yield* answered(world, one.asked);
  yield* calm(world, one.asked);
  yield* inTime(world, one.asked);
  yield* deadline(world, one.asked);
  yield* sequence(world, one);
  yield* alarms(world, one);
  yield* lastQuestion(world, one);
  if (!isMixed) {
    yield* truth(world, one);
    yield* ending(world, one);
  }
  yield* goneRecord(world, one.asked);
  yield* policy(world, one.asked);
  yield* contract(one.asked);
  if (!replacesAnothers(world, one)) yield* amounts(one, isMixed);
}

function label(asked: Asked): string {
  return `${asked.id} (${operationOf(asked)})`;
}
