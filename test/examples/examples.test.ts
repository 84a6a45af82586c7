import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { MONEY_TYPES } from '../../src/nodes/form/unheard.js';
import { ROOT } from '../harness/node-red.js';
import { playExample } from './play.js';
import { type FlowNode, type Player, startPlayer } from './player.js';
import { PLAYS } from './plays.js';

/**
 * The config nodes that the examples use as they are: the editor knows them again by their ids. A closed batch must hold the
 * sales of its story alone, so that the end of the day has a simulator of its own.
 */
const SHARED = new Map(
  ['tour', 'story-end-of-day']
    .flatMap((name) => JSON.parse(readFileSync(join(ROOT, `examples/${name}.json`), 'utf8')) as FlowNode[])
    .filter(isConfig)
    .map((node) => [node.id, node]),
);

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
          assert.ok(
            flow.some(({ type }) => type === 'catch'),
            'a Catch, the fourth way out',
          );
          for (const node of flow.filter(isConfig)) {
            assert.deepEqual(
              node,
              SHARED.get(node.id),
              'one set of config nodes, so that an import adds no second one',
            );
          }
          const loose = flow.filter(({ type, wires }) => type.startsWith('payment-') && hasLooseOutput(wires));
          assert.deepEqual(loose, []);
        });

        test(`${name} moves no money before somebody asks for it: its environment may be a live one by now`, async () => {
          const flow = await player.importExample(name);
          const alone = flow.filter(
            ({ type, once, repeat, crontab }) => type === 'inject' && (once || repeat || crontab),
          );
          const charging = [...reached(flow, alone)].filter(({ type }) => MONEY_TYPES.has(type));
          assert.deepEqual(charging, []);
        });

        test(`${name} runs to its end, and the ledger agrees`, () => playExample(player, name));
      }
    });
  }
});

function isConfig({ type }: FlowNode): boolean {
  return ['payment-environment', 'payment-terminal', 'payment-journal'].includes(type);
}

/** These nodes, and all that a message from them comes to. */
function reached(flow: readonly FlowNode[], from: readonly FlowNode[]): Set<FlowNode> {
  const all = new Set(from);
  for (const { wires, links } of all) {
    const next = new Set([wires, links].flat(2));
    for (const node of flow) if (next.has(node.id)) all.add(node);
  }
  return all;
}

function hasLooseOutput(wires: unknown): boolean {
  return Array.isArray(wires) && wires.some((output: unknown[]) => output.length === 0);
}
