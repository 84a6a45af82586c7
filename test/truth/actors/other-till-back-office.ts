import type { LedgerEntry } from '../../../src/simulator/index.js';
import { toMajor } from '../decimals.js';
import type { Draw } from '../draw.js';
import type { Actor } from './actor.js';

const MINUTE = 60_000;

interface Call {
  path: string;
  body: object;
}

/** What another system may do with a payment of ours over the back office. */
function callAbout({ kind, transactionId, currency, moved, held }: LedgerEntry, draw: Draw): Call {
  const amount = (minor: number): string => toMajor(minor, currency);
  const originalGuid = transactionId;
  if (kind === 'hold') {
    return draw.pick<Call>([
      { path: '/reversal', body: { originalGuid } },
      { path: '/preauthorization/increase', body: { originalGuid, increaseAmount: amount(draw.pick([100, 200])) } },
      { path: '/preauthorization/capture', body: { originalGuid, capturedAmount: amount(draw.pick([500, held])) } },
    ]);
  }
  const part = draw.pick([100, 200, Math.abs(moved)]);
  return draw.pick<Call>([
    { path: '/reversal', body: { originalGuid } },
    { path: '/reversal', body: { originalGuid, amount: amount(part), currency } },
    { path: '/moto/refund', body: { originalGuid, amount: amount(part), currency } },
    { path: `/transactions/${transactionId}/tip-adjustment`, body: { amount: amount(draw.pick([100, 200, 300])) } },
  ]);
}

/** Somebody at another till works on our payments: some of them the flow has not heard of yet. */
export const otherTillBackOffice: Actor = ({ world, draw, span }) => {
  const act = (): void => {
    const ours = world.simulator.bank
      .entries()
      .filter((entry) => ['charge', 'hold', 'refund'].includes(entry.kind) && !world.others.hasMade(entry));
    const [last, ...earlier] = ours.toReversed();
    if (last === undefined) return;
    const { path, body } = callAbout(draw.pick([last, last, ...earlier]), draw);
    world.acts.add('other-till-back-office');
    world.note?.(`another till: ${path} ${JSON.stringify(body)}`);
    world.others.post(path, body);
  };
  for (let times = draw.int(1, 4); times > 0; times--) {
    world.clock.after(draw.int(0, span) + draw.scale(1000, 10 * MINUTE), act);
  }
};
