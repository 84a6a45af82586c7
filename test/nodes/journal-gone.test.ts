import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Flow, type FlowOptions, type Service, startFlow, startService } from './flow.js';

/** The orders of an environment are in the journal that it names: in another one it would charge them again. */

const GONE = /the journal of this environment is disabled or was removed/;

describe('the journal that an environment names', () => {
  let service: Service;
  let flow: Flow;
  /** The journal of an environment that names none. */
  let standard: string;

  beforeEach(async () => {
    service = await startService();
    standard = await mkdtemp(join(tmpdir(), 'standard-'));
    process.env.CLOUD_TERMINAL_JOURNAL = standard;
  });
  afterEach(async () => {
    delete process.env.CLOUD_TERMINAL_JOURNAL;
    delete process.env.NAMED_JOURNAL;
    await flow.stop();
    await service.stop();
    await rm(standard, { recursive: true, force: true });
  });

  async function start(environment: FlowOptions['environment'] = {}): Promise<void> {
    flow = await startFlow({ service, environment });
  }

  function pay() {
    return flow.run({ payload: { amount: '10.00', idempotencyKey: 'order-1' } });
  }

  /** What Catch has of a message. */
  async function mistakeOf(answer: ReturnType<typeof pay>): Promise<string> {
    const { output, msg } = await answer;
    const { error } = msg as { error?: { message: string } };
    return output === 'mistake' ? String(error?.message) : output;
  }

  describe('a deploy that takes the journal of an environment away', () => {
    for (const type of ['full', 'nodes'] as const) {
      for (const [how, change] of [
        ['disables it', (node: { id: string }) => (node.id === 'journal' ? { ...node, d: true } : node)],
        ['deletes it', (node: { id: string }) => (node.id === 'journal' ? undefined : node)],
      ] as const) {
        test(`and ${how} (${type}) refuses payments until it is back, and then the order is not charged again`, async () => {
          await start();
          assert.equal((await pay()).output, 'done');
          await flow.redeploy(change, type);
          assert.match(await mistakeOf(pay()), GONE);
          assert.match(flow.said('environment').errors.join(), GONE);
          assert.equal(await flow.status('sale'), 'status.environment-unusable');
          await flow.redeploy();
          assert.equal((await pay()).output, 'done');
          assert.equal(service.bank.charges().length, 1);
        });
      }
    }
  });

  describe('a journal that a variable names', () => {
    const NAMED = { journal: `\${NAMED_JOURNAL}` };

    test('is used wherever it stands in the flows', async () => {
      process.env.NAMED_JOURNAL = 'journal';
      await start(NAMED);
      assert.equal((await pay()).output, 'done');
      const nodes = new Map<string, object>();
      await flow.redeploy((node) => {
        nodes.set(node.id, node);
        return node;
      });
      const swapped: Record<string, string> = { journal: 'environment', environment: 'journal' };
      await flow.redeploy((node) => nodes.get(swapped[node.id] ?? node.id));
      assert.equal((await pay()).output, 'done');
      assert.equal(service.bank.charges().length, 1);
      assert.equal(await flow.status('environment'), 'status.recording');
    });

    for (const [what, name] of [
      ['is refused where the variable is not set', undefined],
      ['is refused where the variable names nothing', 'nothing'],
      ['is refused where the variable names another node', 'terminal'],
    ] as const) {
      test(what, async () => {
        if (name !== undefined) process.env.NAMED_JOURNAL = name;
        await start(NAMED);
        assert.match(await mistakeOf(pay()), GONE);
        assert.equal(service.bank.charges().length, 0);
      });
    }

    test('is refused where it is disabled', async () => {
      process.env.NAMED_JOURNAL = 'journal';
      await start(NAMED);
      await flow.redeploy((node) => (node.id === 'journal' ? { ...node, d: true } : node));
      assert.match(await mistakeOf(pay()), GONE);
    });
  });

  test('a deploy that names another journal says that the orders in the earlier one are not known there', async () => {
    await start();
    assert.equal((await pay()).output, 'done');
    await flow.redeploy();
    assert.deepEqual(flow.said('environment').warnings, []);
    await flow.redeploy((node) => (node.id === 'journal' ? { ...node, folder: standard } : node));
    const [warning = '', ...others] = flow.said('environment').warnings;
    assert.deepEqual(others, []);
    assert.ok(warning.includes(`in ${standard} from now on, and no longer in ${flow.folder}:`), warning);
  });

  test('an environment that names no journal has the standard one', async () => {
    for (const journal of [undefined, '', '_ADD_']) {
      await start({ journal });
      assert.equal((await pay()).output, 'done');
      if (journal !== '_ADD_') await flow.stop();
    }
    assert.equal(service.bank.charges().length, 1, 'each of them knows the order');
  });
});
