import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type FlowNode, type Player, startPlayer } from './player.js';
import { PLAYS, type Step } from './plays.js';

/** So many Node-REDs share the examples: they wait for cardholders most of the time. */
const PLAYERS = 3;

describe('the examples', { concurrency: true }, () => {
  for (let place = 0; place < PLAYERS; place++) {
    const names = Object.keys(PLAYS).filter((_, index) => index % PLAYERS === place);
    describe(`${names.join(', ')}, imported into Node-RED`, { concurrency: 1 }, () => {
      let player: Player;

      before(async () => {
        player = await startPlayer();
      });
      after(() => player?.stop());

      test('are offered by its import dialog; there is none that is not played here', async () => {
        assert.deepEqual((await player.list()).sort(), Object.keys(PLAYS).sort());
      });

      for (const name of names) {
        test(`${name} explains itself, and leaves no output of a payment node loose`, async () => {
          const flow = await player.importExample(name);
          const comment = flow.find(({ type }) => type === 'comment');
          assert.ok(String(comment?.info).length > 40, 'a comment that explains it');
          const loose = flow.filter(({ type, wires }) => type.startsWith('payment-') && hasLooseOutput(wires));
          assert.deepEqual(loose, []);
        });

        test(`${name} runs to its end, and the ledger agrees`, () => runs(player, name));
      }
    });
  }
});

async function runs(player: Player, name: string): Promise<void> {
  const flow = await player.importExample(name);
  await player.deploy(flow);
  const { steps, ledger } = PLAYS[name] ?? { steps: [], ledger: [] };
  for (const step of steps) await play(player, step, flow);
  assert.deepEqual(player.rest(), [], 'nothing else was heard');
  const environment = flow.find(({ type }) => type === 'payment-environment');
  assert.ok(environment);
  const entries = (await player.ledger(environment)).map(({ kind, moved, held }) => `${kind} ${moved || held}`);
  assert.deepEqual(entries.sort(), ledger.map(([kind, minor]) => `${kind} ${minor}`).sort());
}

async function play(player: Player, { press, hears, payload, restart }: Step, flow: FlowNode[]): Promise<void> {
  if (press !== undefined) {
    const inject = flow.find(({ type, name }) => type === 'inject' && name?.startsWith(press));
    assert.ok(inject, `an inject "${press}"`);
    await player.press(inject);
  }
  if (restart === true) await player.restart();
  const heard = [];
  for (const name of hears) heard.push(await player.next(name));
  for (const [key, value] of Object.entries(payload ?? {})) assert.equal(heard.at(-1)?.payload[key], value, key);
}

function hasLooseOutput(wires: unknown): boolean {
  return Array.isArray(wires) && wires.some((output: unknown[]) => output.length === 0);
}
