import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Control } from '../../src/simulator/control/control.js';
import { type View, viewOf, watch } from '../../src/simulator/index.js';
import { run, simulate } from '../harness/simulated.js';

/** The view of an observer. */

function onlooker(world: ReturnType<typeof simulate>): { views: View[]; stop: () => void } {
  const views: View[] = [];
  return { views, stop: watch(world.simulator, (view) => views.push(view)) };
}

test('shows everything at once, and then only what is new', async () => {
  const world = simulate();
  await run(world, world.sale());
  const { views } = onlooker(world);
  const [first] = views;
  assert.equal(first?.ledger.length, 1);
  assert.equal(first?.requests.length, 2);
  await run(world, world.sale({ amount: '2000' }));
  await world.clock.advance(100);
  const later = views.slice(1);
  assert.deepEqual(
    later.flatMap(({ ledger }) => ledger.map(({ moved }) => moved)),
    [2000],
  );
  assert.equal(later.flatMap(({ requests }) => requests).length, 2);
  assert.ok(later.some(({ terminals }) => terminals[0]?.screen.stage === 'awaiting-card'));
});

test('shows nothing more to who has gone', async () => {
  const world = simulate();
  const { views, stop } = onlooker(world);
  stop();
  await run(world, world.sale());
  assert.equal(views.length, 1);
});

test('shows every try of a callback, and when the next is due', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'callback-lost' });
  await run(world, world.sale({ callbackUrl: 'https://till.example/x', token: 'planted-token' }));
  const { callbacks } = viewOf(world.simulator);
  assert.deepEqual(
    callbacks.map(({ attempt, acknowledged, fault }) => [attempt, acknowledged, fault]),
    [
      [1, false, 'callback-lost'],
      [2, true, undefined],
    ],
  );
  const [lost, delivered] = callbacks;
  assert.equal(lost?.nextAt, delivered?.at);
  assert.doesNotMatch(JSON.stringify(viewOf(world.simulator)), /planted-token/);
});

test('shows how the last operation ended, and the paper that came of it', async () => {
  const world = simulate();
  await run(world, world.sale({ amount: '1234' }));
  const [terminal] = viewOf(world.simulator).terminals;
  assert.deepEqual([terminal?.ending?.finStatus, terminal?.ending?.total], ['AUTHORISED', 1234]);
  assert.deepEqual(terminal?.papers[0]?.lines.find(({ name }) => name === 'total')?.value, 'EUR 12.34');
});

test('leaves a terminal to a person, and takes it back in the middle of a prompt', async () => {
  const world = simulate({ cardholder: 'none' });
  const terminal = world.simulator.terminal('10000001');
  await world.post('/transactions', world.sale());
  await world.clock.advance(5_000);
  assert.equal(terminal.screen.stage, 'awaiting-card');
  world.simulator.seat(terminal, 'automatic');
  await world.clock.advance(5_000);
  assert.equal(terminal.lastEnding?.finStatus, 'AUTHORISED');
  world.simulator.seat(terminal, 'person');
  assert.equal(world.simulator.isAutomatic(terminal), false);
});

test('says of a prompt that something was not accepted', async () => {
  const world = simulate({ cardholder: 'none' });
  const terminal = world.simulator.terminal('10000001');
  await world.post('/transactions', world.sale());
  await world.clock.advance(100);
  terminal.presentCard({ entry: 'ICC', unreadable: true });
  await world.clock.advance(100);
  assert.equal(terminal.screen.again, true);
  terminal.presentCard({ entry: 'ICC' });
  await world.clock.advance(100);
  assert.equal(terminal.screen.again, false);
  terminal.enterPin(false);
  await world.clock.advance(100);
  assert.equal(terminal.screen.again, true);
});

test('switches one fault off and leaves the others on, and takes no drawing that is none', () => {
  const { simulator } = simulate();
  const control = new Control(simulator);
  const post = (path: string, body: object) =>
    control.answer('POST', `/simulator/${path}`, JSON.stringify(body)).status;
  assert.equal(post('faults', { kind: 'answer-lost', times: 0 }), 200);
  assert.equal(post('faults', { kind: 'request-lost' }), 200);
  assert.equal(post('faults/clear', { kind: 'answer-lost' }), 200);
  assert.deepEqual(
    viewOf(simulator).faults.armed.map(({ kind }) => kind),
    ['request-lost'],
  );
  assert.equal(post('faults/clear', { kind: 'no-such' }), 422);
  assert.equal(post('terminals/10000001', { do: 'seat', cardholder: 'nobody' }), 422);
  assert.equal(post('terminals/10000001', { do: 'sign', drawing: '"/><script>' }), 422);
});
