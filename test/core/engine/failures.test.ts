import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../src/core/base/seams.js';
import type { ArmedFault } from '../../../src/simulator/index.js';
import { type Payments, payments } from '../../harness/payments.js';

const MINUTE = 60_000;
const TWO_DAYS = 2 * 24 * 60 * MINUTE;

interface Case {
  name: string;
  faults: ArmedFault[];
  callbacks: boolean;
  told: string[];
  net: number;
}

const approved = ['done: approved, moved yes, final'];
const post = { endpoint: 'POST /transactions' };

const CASES: Case[] = [
  {
    name: 'the answer to the request is lost, and the callback comes',
    faults: [{ kind: 'answer-lost', match: post }],
    callbacks: true,
    told: approved,
    net: 1000,
  },
  {
    name: 'the answer to the request is lost, and nothing else tells of the approval',
    faults: [{ kind: 'answer-lost', match: post }],
    callbacks: false,
    told: ['needs-attention: provisional, moved unknown, open', 'done: approved, moved yes, final (correction)'],
    net: 1000,
  },
  {
    name: 'the request is lost',
    faults: [{ kind: 'request-lost', match: post }],
    callbacks: true,
    told: ['not-done: not-charged, moved no, final'],
    net: 0,
  },
  {
    name: 'nothing listens',
    faults: [{ kind: 'connection-refused', match: post }],
    callbacks: true,
    told: ['not-done: not-charged, moved no, final'],
    net: 0,
  },
  {
    name: 'a 500 comes after the terminal has started',
    faults: [{ kind: 'server-error-after', match: post }],
    callbacks: true,
    told: approved,
    net: 1000,
  },
  {
    name: 'the answer to the request is broken JSON',
    faults: [{ kind: 'broken-json', match: post }],
    callbacks: true,
    told: approved,
    net: 1000,
  },
  {
    name: 'polls fail for a minute',
    faults: [{ kind: 'poll-fails', forMs: MINUTE }],
    callbacks: false,
    told: approved,
    net: 1000,
  },
  {
    name: 'results cannot be read for a minute',
    faults: [{ kind: 'poll-unreadable', forMs: MINUTE }],
    callbacks: false,
    told: approved,
    net: 1000,
  },
  {
    name: 'the callback is lost',
    faults: [{ kind: 'callback-lost', times: 1 }],
    callbacks: true,
    told: approved,
    net: 1000,
  },
  {
    name: 'the callback comes twice',
    faults: [{ kind: 'callback-twice' }],
    callbacks: true,
    told: approved,
    net: 1000,
  },
  {
    name: 'the callback comes before the answer to the request',
    faults: [{ kind: 'callback-before-answer' }],
    callbacks: true,
    told: approved,
    net: 1000,
  },
  {
    name: 'the terminal loses its power while the card is awaited',
    faults: [{ kind: 'power-cut-awaiting-card', ms: 30_000 }],
    callbacks: true,
    told: ['not-done: not-charged, moved no, final'],
    net: 0,
  },
  {
    name: 'the terminal loses its power for good while it pays',
    faults: [{ kind: 'power-cut-processing', ms: 0 }],
    callbacks: true,
    told: ['needs-attention: provisional, moved unknown, open', 'done: approved, moved yes, final (correction)'],
    net: 1000,
  },
  {
    name: 'the terminal loses its power for three minutes while it pays',
    faults: [{ kind: 'power-cut-processing', ms: 3 * MINUTE }],
    callbacks: true,
    told: approved,
    net: 1000,
  },
  {
    name: 'the chip card is pulled after the approval',
    faults: [{ kind: 'chip-pulled' }],
    callbacks: true,
    told: ['not-done: declined, moved no, final'],
    net: 0,
  },
];

for (const { name, faults, callbacks, told, net } of CASES) {
  test(`${name}: one charge at most, and the flow gets the truth`, async () => {
    const world = payments({ callbacks, simulator: { cardholder: { card: { entry: 'ICC' } } } });
    for (const fault of faults) world.simulator.faults.arm(fault);
    const operationId = await world.sale();
    await world.clock.advance(TWO_DAYS + 10 * MINUTE);
    const lines = world.told.map(
      ({ exit, payload: { outcome, moneyMoved, final, correction } }) =>
        `${exit}: ${outcome}, moved ${moneyMoved}, ${final ? 'final' : 'open'}${correction ? ' (correction)' : ''}`,
    );
    assert.deepEqual(lines, told);
    assert.equal(world.bank.netMoved(operationId), net);
    assert.equal(world.bank.netMoved(), net);
    assert.ok(world.bank.charges().length <= 1);
    assert.equal(world.clock.pending, 0, 'no timer is left');
    assert.deepEqual(await world.journal.open('env'), []);
    assert.equal(world.started.filter((operation) => operation === 'sale').length, 1, 'nothing is sent twice');
  });
}

for (const [fault, givenUpAfter] of [
  ['answer-lost', 20_000],
  ['server-error-after', 0],
] as const) {
  test(`a sale whose answer is lost (${fault}), and to which no cardholder comes, keeps its own terminal for two minutes at most`, async () => {
    const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
    world.simulator.faults.arm({ kind: fault, match: post });
    const begun = world.clock.now();
    const first = await world.sale();
    const behind = await world.sale({}, { busyWaitMs: 10 * MINUTE });
    const sent = (): number => world.started.filter((operation) => operation === 'sale').length;
    assert.ok(await world.clock.runUntil(() => sent() === 2, 10 * MINUTE));
    // The answer is given up, and a stop that is sent 90 s later is answered "nothing runs" (docs/recovery-in-detail.md, What settles a payment).
    assert.ok(world.clock.now() - begun <= givenUpAfter + 91_000, `${world.clock.now() - begun} ms`);
    await world.clock.runUntil(() => world.terminal.screen.stage === 'awaiting-card', MINUTE);
    world.terminal.presentCard();
    const { outcome } = await world.after(Promise.resolve(behind));
    assert.equal(outcome, 'approved');
    assert.ok(world.clock.now() - begun < 2 * MINUTE);
    assert.equal((await world.after(Promise.resolve(first))).outcome, 'not-charged');
    assert.deepEqual([world.bank.netMoved(first), world.bank.netMoved(behind)], [0, 1000]);
  });
}

test('why nobody answers about a payment stands in its timeline and in the log, once for each reason', async () => {
  const refusal: HttpAnswer = { status: 403, body: '<html>no entry</html>' };
  const world: Payments = payments({
    callbacks: false,
    engine: { send: async (request) => (request.method === 'GET' ? refusal : world.simulator.send(request)) },
  });
  await world.sale();
  await world.clock.advance(7 * MINUTE);
  const { outcome, timeline } = world.told[0]?.payload ?? {};
  assert.equal(outcome, 'unknown');
  const reasons = (timeline ?? []).flatMap((entry) => (entry.event === 'no-answer' ? [entry.why] : []));
  assert.ok(reasons.length > 0);
  assert.equal(new Set(reasons).size, reasons.length, reasons.join('; '));
  assert.ok(
    reasons.every((why) => why?.includes('403')),
    reasons.join('; '),
  );
  assert.equal(world.logged.filter((line) => line.includes('403')).length, reasons.length);
});

for (const customFields of ['array', 'entry', 'object'] as const) {
  test(`a card that is pulled too early, named in custom fields as ${customFields}, has a code of its own`, async () => {
    const world = payments({ simulator: { cardholder: { card: { entry: 'ICC' } }, variants: { customFields } } });
    world.simulator.faults.arm({ kind: 'chip-pulled' });
    await world.sale();
    const { payload } = await world.untilTold();
    assert.deepEqual([payload.outcome, payload.issuerCode, payload.error?.code], ['declined', '00', '4351']);
    assert.equal(payload.error?.message, 'Reversed by the terminal');
  });
}
