import type { Asked } from '../flow.js';
import { operationOf } from '../flow.js';
import { balanceOf, balances, isSame, NOTHING, spelt } from '../ledger.js';
import { answered, sequence } from '../oracle/answers.js';
import { type Case, casesOf } from '../oracle/case.js';
import type { Play } from '../play.js';
import type { World } from '../world.js';
import { CARD_PATTERN } from './odd-values.js';

/** What an odd answer must not lead to. */

/** A message that is not answered, or twice. */
export function* silences(world: World, { chains }: Play): Generator<string> {
  for (const chain of chains) {
    for (const one of casesOf(world, chain)) {
      for (const text of answered(world, one.asked)) yield `${nameOf(one.asked)}: ${text}`;
      for (const text of sequence(world, one)) yield `${nameOf(one.asked)}: ${text}`;
    }
  }
}

/** Told that nothing was done, or that trying again is safe, while the bank has it; and what was done twice. */
export function* lies(world: World, { chains }: Play): Generator<string> {
  yield* world.inspector.violations;
  for (const chain of chains) {
    for (const one of casesOf(world, chain)) for (const text of liesOf(one)) yield `${nameOf(one.asked)}: ${text}`;
  }
}

function* liesOf({ asked, own, until }: Case): Generator<string> {
  const charges = own.filter(({ kind }) => kind === 'charge' || kind === 'hold' || kind === 'capture');
  if (charges.length > 1) yield `${charges.length} charges for one message`;
  if (asked.rejected !== undefined && own.length > 0) yield `rejected, and the bank has ${spelt(balanceOf(own))}`;
  for (const [place, { telling, ledger }] of asked.heard.entries()) {
    const { outcome, moneyMoved, retry, final } = telling.payload;
    const isDone = ['approved', 'completed', 'refunded'].includes(outcome);
    const saysNothing = retry === 'safe' || (moneyMoved === 'no' && final && !isDone);
    if (!saysNothing) continue;
    const upTo = asked.heard[place + 1]?.ledger ?? until;
    const wrong = [...balances(own, ledger, upTo)].find((balance) => !isSame(balance, NOTHING));
    if (wrong !== undefined) yield `told ${outcome}, retry ${retry}, and the bank has ${spelt(wrong)}`;
  }
}

/** The key, a callback's token or a card number, where somebody can read it. `said`: the log. */
export function* leaks(
  world: World,
  { chains }: Play,
  said: readonly string[],
  secrets: ReadonlySet<string>,
): Generator<string> {
  const hold = (text: string): string | undefined =>
    [...secrets].some((secret) => text.includes(secret))
      ? 'a secret'
      : CARD_PATTERN.test(text)
        ? 'a card number'
        : undefined;
  for (const line of said) {
    const held = hold(line);
    if (held !== undefined) yield `${held} in the log: ${line.slice(0, 200)}`;
  }
  for (const record of world.disk.durable.values()) {
    const held = hold(JSON.stringify(record));
    if (held !== undefined) yield `${held} in the journal: ${excerpt(JSON.stringify(record), secrets)}`;
  }
  for (const { asked } of chains.flatMap(({ links }) => links)) {
    const { rejected, heard, late } = asked;
    // A whole card number is what this one asks for.
    const told = operationOf(asked) === 'cardPan' ? [] : [...heard.map(({ telling }) => telling), ...late];
    for (const text of [String(rejected), ...told.map(textOf)]) {
      const held = hold(text);
      if (held !== undefined) yield `${nameOf(asked)}: ${held} in what the flow is told: ${excerpt(text, secrets)}`;
    }
  }
}

/** Where it stands. */
function excerpt(text: string, secrets: ReadonlySet<string>): string {
  const places = [...secrets].map((secret) => text.indexOf(secret)).concat(text.search(CARD_PATTERN));
  const place = Math.min(...places.filter((found) => found >= 0));
  return text.slice(Math.max(0, place - 100), place + 60);
}

function textOf({ payload, error }: { payload: object; error?: Error }): string {
  return `${JSON.stringify(payload, withoutToken)} ${String(error)} ${JSON.stringify(error ?? null)}`;
}

/** A token of the flow's own, which may be any text. */
function withoutToken(name: string, value: unknown): unknown {
  return name === 'cardToken' || name === 'token' ? undefined : value;
}

function nameOf(asked: Asked): string {
  return `${asked.id} (${operationOf(asked)})`;
}
