import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
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

  test('recipe-remainder gives no part back, and does not call the bill paid by a correction', async () => {
    await press('recipe-remainder', 'a bill of 37.57, and another card');
    await shows('awaiting-card');
    await repeatNext();
    await act('awaiting-card', { do: 'present-card' });
    await act('partial', { do: 'answer', accept: true });
    const { payload: told } = await player.next('a person must look');
    assert.deepEqual([told.moneyMoved, told.final], ['no', false]);
    await act('awaiting-card', { do: 'present-card', card: { last4: '2222' } });
    const { payload: corrected } = await player.next('a person must look');
    assert.deepEqual([corrected.moneyMoved, corrected.correction], ['yes', true]);
    assert.deepEqual(player.rest(), []);
    assert.deepEqual(
      (await player.ledger(environment)).map(({ kind, moved }) => `${kind} ${moved}`),
      ['charge 1100', 'charge 2657'],
    );
  });

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
