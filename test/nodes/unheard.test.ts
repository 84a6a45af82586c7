import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { isCaught, type Placed } from '../../src/nodes/form/unheard.js';
import { type Flow, type Service, startFlow, startService } from './flow.js';

/** What a node that moves money says at a deploy where nobody would hear it. */

const UNWIRED = /output 3 \(needs attention\) is not wired/;
const UNCAUGHT = /no Catch node hears this node/;

describe('a node that moves money', () => {
  let service: Service;
  let flow: Flow;

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  afterEach(() => flow.stop());

  const sale = (id: string, wires: string[][], z = 'tab') => ({
    id,
    z,
    type: 'payment-sale',
    terminal: 'terminal',
    wires,
  });

  it('warns once that its third output leads nowhere, and not again where another node is deployed', async () => {
    flow = await startFlow({ service, more: [sale('loose', [['done'], ['not-done'], []])] });
    assert.match(flow.said('loose').warnings.join(), UNWIRED);
    assert.deepEqual(flow.said('sale').warnings, []);
    await flow.redeploy();
    assert.equal(flow.said('loose').warnings.length, 1);
  });

  it('warns that its third output leads to a disabled node, and not where that is enabled again', async () => {
    flow = await startFlow({ service });
    assert.deepEqual(flow.said('sale').warnings, []);
    const disabled = (node: { id: string }): object => (node.id === 'needs-attention' ? { ...node, d: true } : node);
    await flow.redeploy(disabled);
    assert.match(flow.said('sale').warnings.join(), UNWIRED);
    await flow.redeploy();
    assert.equal(flow.said('sale').warnings.length, 1);
  });

  it('warns that no Catch node hears its mistakes', async () => {
    const other = { id: 'other', type: 'tab', label: 'other' };
    const here = { id: 'here', type: 'helper', z: 'other' };
    flow = await startFlow({ service, more: [other, sale('alone', [[], [], ['here']], 'other'), here] });
    const { warnings } = flow.said('alone');
    assert.equal(warnings.length, 1);
    assert.match(warnings.join(), UNCAUGHT);
  });

  it('logs a mistake that nobody hears as text', async () => {
    const other = { id: 'other', type: 'tab', label: 'other' };
    flow = await startFlow({ service, more: [other, sale('alone', [[], [], ['here']], 'other')] });
    flow.send({ payload: {} }, 'alone');
    while (flow.said('alone').errors.length === 0) await new Promise(setImmediate);
    assert.match(flow.said('alone').errors.join(), /^msg\.payload\.amount: expected/);
  });
});

describe('a Catch node', () => {
  const node: Placed = { id: 'node', type: 'payment-sale', z: 'tab', g: 'inner' };
  const groups: Placed[] = [
    { id: 'inner', type: 'group', z: 'tab', g: 'outer' },
    { id: 'outer', type: 'group', z: 'tab' },
  ];
  const heardBy = (one: Partial<Placed>): boolean =>
    isCaught(node, [...groups, { id: 'catch', type: 'catch', z: 'tab', ...one }]);

  it('hears the nodes of its flow, of its scope, or of its group and the groups in it', () => {
    assert.equal(heardBy({}), true);
    assert.equal(heardBy({ z: 'other' }), false);
    assert.equal(heardBy({ d: true }), false);
    assert.equal(heardBy({ scope: ['node'] }), true);
    assert.equal(heardBy({ scope: ['another'] }), false);
    assert.equal(heardBy({ scope: 'group', g: 'outer' }), true);
    assert.equal(heardBy({ scope: 'group', g: 'elsewhere' }), false);
  });

  it('hears the nodes of a subflow wherever every instance of it is heard', () => {
    const instance = (id: string, z: string): Placed => ({ id, type: 'subflow:sub', z });
    const all: Placed[] = [
      { id: 'sub', type: 'subflow' },
      { id: 'catch', type: 'catch', z: 'tab' },
      instance('one', 'tab'),
    ];
    const inside: Placed = { id: 'node', type: 'payment-sale', z: 'sub' };
    assert.equal(isCaught(inside, all), true);
    assert.equal(isCaught(inside, [...all, instance('two', 'other')]), false);
  });
});
