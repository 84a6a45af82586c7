import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { ROOT } from '../harness/node-red.js';
import { type FlowNode, type Player, startPlayer } from './player.js';

/** At a terminal that others use too a sale may be told as busy, which is not final: it may be this very sale that runs there. */

const TERMINAL = 'terminals/10000001';

describe('an example whose sale is not done, which is not final', () => {
  let player: Player;
  let environment: FlowNode;

  before(async () => {
    player = await startPlayer();
  });
  after(() => player?.stop());
  afterEach(() => player.control(environment, 'seat', { cardholder: 'automatic' }));

  /** Deploys an example at a shared terminal, and presses a button of it. @param prepare called before */
  async function press(name: string, button: string, prepare = async (): Promise<unknown> => undefined): Promise<void> {
    const flow = await player.importExample(name);
    environment = flow.find(({ type }) => type === 'payment-environment') as FlowNode;
    await player.deploy(flow.map((node) => (node.type === 'payment-terminal' ? { ...node, exclusive: false } : node)));
    await player.control(environment, 'seat', { cardholder: 'person' });
    await prepare();
    await player.press(flow.find((node) => node.type === 'inject' && node.name?.startsWith(button)) as FlowNode);
  }

  /** The next request of a sale arrives twice: the second is told that the terminal is busy. */
  const repeatNext = (): Promise<object> => player.control(environment, 'faults', { kind: 'repeated-request' });

  /** Resolves once the terminal does. */
  async function shows(stage: string): Promise<void> {
    for (;;) {
      const { screen } = await player.control<{ screen: { stage: string } }>(environment, TERMINAL);
      if (screen.stage === stage) return;
    }
  }

  async function act(stage: string, action: object): Promise<void> {
    await shows(stage);
    await player.control(environment, TERMINAL, action);
  }

  test('recipe-alert tells the staff, and tells them again by the correction', async () => {
    await press('recipe-alert', '10.00 EUR', repeatNext);
    const { payload: told } = await player.next('to the staff');
    assert.match(String(told), /may still be charged/);
    await act('awaiting-card', { do: 'present-card' });
    const { payload: corrected } = await player.next('to the staff');
    assert.match(String(corrected), /is approved \(money moved: yes\)/);
    assert.deepEqual(player.rest(), []);
  });
});

const REMAINDER: FlowNode[] = JSON.parse(readFileSync(join(ROOT, 'examples/recipe-remainder.json'), 'utf8'));
const named = (name: string): FlowNode => REMAINDER.find((node) => node.name === name) as FlowNode;

for (const [what, word, goesBack] of [
  ['gives the part back where it is final that the rest was not paid', { final: true }, true],
  ['gives no part back while the rest may still be paid', { final: false }, false],
  ['leaves a correction to a person, who may have acted', { final: true, correction: true }, false],
] as const) {
  test(`recipe-remainder ${what}`, () => {
    const msg = { bill: 'bill', part: { transactionId: 'part' }, payload: { moneyMoved: 'no', ...word } };
    const [back, person] = runInNewContext(`(msg) => {${named('give the part back').func}}`)(msg);
    assert.deepEqual([back !== null, person !== null], [goesBack, !goesBack]);
  });
}

test('recipe-remainder calls no bill paid by a correction', () => {
  const paid = named('paid in two parts').id;
  const toPaid = REMAINDER.filter(({ wires }) => JSON.stringify(wires ?? []).includes(paid));
  assert.deepEqual(
    toPaid.map(({ name, wires }) => [name, (wires as string[][])[1]]),
    [['a correction?', [paid]]],
  );
});
