import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KeptReceipts } from '../../../../src/core/delivery/kept-receipts.js';
import type { Receipts, ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { EngineOptions } from '../../../../src/core/engine/options.js';
import { orderKey } from '../../../../src/core/operation/order-key.js';
import { NODE, payments, saleOrder } from '../../../harness/payments.js';

const NONE: Receipts = { customer: { kind: 'none', value: '' }, merchant: { kind: 'none', value: '' } };

/** A place for receipts, which notes what the journal knew of the payment when they came. */
class Place implements KeptReceipts {
  readonly held = new Map<string, Receipts>();
  readonly outcomesBefore: (string | undefined)[] = [];
  isBroken = false;

  constructor(private readonly outcomeOf: (operationId: string) => string | undefined) {}

  keep(operationId: string, receipts: Receipts): void {
    this.outcomesBefore.push(this.outcomeOf(operationId));
    this.held.set(operationId, receipts);
  }

  async of(operationId: string): Promise<Receipts | undefined> {
    if (this.isBroken) throw new Error('the disk is gone');
    return this.held.get(operationId);
  }
}

/** Engines without a node, and then one with it. */
function lives(options: Partial<EngineOptions> = {}) {
  const world = payments({ callbacks: false, engine: options });
  return {
    world,
    /** Sells 10.00 EUR to a node that is not there, and ends. */
    async sellUnheard(): Promise<string> {
      const engine = world.createEngine();
      const operationId = await engine.submit(saleOrder());
      await world.clock.advance(20_000);
      await engine.stop();
      assert.deepEqual(world.told, []);
      return operationId;
    },
    async tell(): Promise<ResultPayload> {
      const engine = world.createEngine();
      world.connect(engine);
      await engine.start();
      return (await world.untilTold()).payload;
    },
  };
}

function keeping() {
  const outcomes = new Map<string, string>();
  const place = new Place((operationId) => outcomes.get(operationId));
  const { world, ...rest } = lives({ receipts: place });
  const advance = world.journal.advance.bind(world.journal);
  world.journal.advance = (record) => {
    const { outcome } = record.state.latest?.verdict ?? {};
    if (outcome !== undefined) outcomes.set(record.operationId, outcome);
    return advance(record);
  };
  return { world, place, ...rest };
}

describe('a result that is told by another engine than the one that learned it', () => {
  test('has the receipts that the environment keeps, which were written before the verdict was', async () => {
    const { place, sellUnheard, tell } = keeping();
    const operationId = await sellUnheard();
    assert.deepEqual(place.outcomesBefore, [undefined]);
    const payload = await tell();
    assert.equal(payload.outcome, 'approved');
    assert.equal(payload.receipts.customer.kind, 'html');
    assert.deepEqual(payload.receipts, place.held.get(operationId));
  });

  test('has none where the environment keeps none', async () => {
    const { sellUnheard, tell } = lives();
    await sellUnheard();
    assert.deepEqual((await tell()).receipts, NONE);
  });

  test('is told without them where they cannot be read', async () => {
    const { world, place, sellUnheard, tell } = keeping();
    await sellUnheard();
    place.isBroken = true;
    const { outcome, receipts } = await tell();
    assert.deepEqual([outcome, receipts], ['approved', NONE]);
    assert.match(world.logged.join('\n'), /error: [0-9a-f-]{36}: its receipts: Error: the disk is gone/);
  });

  test('keeps the addresses that the journal has itself, where a kept receipt cannot be opened', async () => {
    const place: KeptReceipts = { keep: () => undefined, of: async () => NONE };
    const { world, sellUnheard, tell } = lives({ receipts: place });
    world.simulator.variants.receipts = 'url';
    await sellUnheard();
    assert.equal((await tell()).receipts.customer.kind, 'url');
  });
});

describe('an order that is repeated under its key after a restart', () => {
  test('is answered with the receipts of the first', async () => {
    const { world, place } = keeping();
    const order = saleOrder();
    const send = (engine = world.engine): Promise<string> =>
      engine.submit({ ...order, origin: { node: NODE, message: {}, key: orderKey('4711', 'key') } });
    const operationId = await send();
    await world.untilTold();
    await world.clock.runUntilIdle();
    await world.engine.stop();
    const engine = world.createEngine();
    world.connect(engine);
    await engine.start();
    await send(engine);
    const { payload } = await world.untilTold(2);
    assert.deepEqual([payload.operationId, payload.repeated], [operationId, true]);
    assert.equal(payload.receipts.customer.kind, 'html');
    assert.deepEqual(payload.receipts, place.held.get(operationId));
  });
});
