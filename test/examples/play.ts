import assert from 'node:assert/strict';
import type { FlowNode, Player } from './player.js';
import { PLAYS, type Step } from './plays.js';

/** Imports an example, deploys it, and plays it to its end; then its simulator's ledger says what truly happened. */
export async function playExample(player: Player, name: string): Promise<void> {
  const flow = await player.importExample(name);
  const environment = flow.find(({ type }) => type === 'payment-environment');
  assert.ok(environment);
  // All examples have one simulator, whose ledger stays.
  const before = (await player.ledger(environment)).length;
  await player.deploy(flow);
  const { steps, ledger } = PLAYS[name] ?? { steps: [], ledger: [] };
  for (const step of steps) await play(player, step, flow);
  assert.deepEqual(player.rest(), [], 'nothing else was heard');
  const entries = (await player.ledger(environment))
    .slice(before)
    .map(({ kind, moved, held }) => `${kind} ${moved || held}`);
  assert.deepEqual(entries.sort(), ledger.map(([kind, minor]) => `${kind} ${minor}`).sort());
}

async function play(
  player: Player,
  { press, post, visit, hears, payload, restart }: Step,
  flow: FlowNode[],
): Promise<void> {
  if (press !== undefined) {
    const inject = flow.find(({ type, name }) => type === 'inject' && name?.startsWith(press));
    assert.ok(inject, `an inject "${press}"`);
    await player.press(inject);
  }
  if (post !== undefined) assert.equal(await player.post(post.path, post.body), post.status);
  if (visit !== undefined) await player.visit(visit);
  if (restart === true) await player.restart();
  const heard = [];
  for (const name of hears) heard.push(await player.next(name));
  for (const [key, value] of Object.entries(payload ?? {})) assert.equal(heard.at(-1)?.payload[key], value, key);
}
