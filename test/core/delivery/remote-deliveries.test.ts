import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { SealedJson } from '../../../src/core/base/privacy/sealed-json.js';
import { Heard } from '../../../src/core/delivery/heard.js';
import type { Delivery } from '../../../src/core/delivery/listener.js';
import { IncomingDeliveries } from '../../../src/core/delivery/remote/incoming-deliveries.js';
import { RemoteDeliveries } from '../../../src/core/delivery/remote/remote-deliveries.js';
import { type DeliveryState, withoutOldNo } from '../../../src/core/operation/delivery-state.js';
import { NOT_CHARGED } from '../../../src/core/operation/verdict.js';
import { newNonce } from '../../../src/core/platform/new-nonce.js';
import { MemoryFleet, type Replica } from '../../harness/memory-fleet.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

/** Results on their way from the leader to the door that their messages came in by. */
describe('results for another process', () => {
  let leader: Replica;
  let door: Replica;
  /** Message, outcome and marks of what the door told. */
  let told: string[];
  /** Nodes of the door. What is for another one waits. */
  let nodes: Set<string>;

  beforeEach(() => {
    const fleet = new MemoryFleet(new VirtualClock());
    leader = fleet.join('leader').lead();
    door = fleet.join('door');
    told = [];
    nodes = new Set(['sale']);
  });
  afterEach(() => {
    for (const member of [leader, door]) member.kill();
  });

  const sealOf = (secret: string) => new SealedJson(secret, [], 'test', newNonce);
  const remoteOf = (secret = 'secret') =>
    new RemoteDeliveries(
      leader.doors,
      'env',
      sealOf(secret),
      () => assert.fail('the door is alive'),
      () => undefined,
    );
  const incomingOf = (secret = 'secret') => {
    const deliver = ({ id, origin, payload }: Delivery, onDelivered: () => void): void => {
      if (!nodes.has(origin.node)) return;
      const { outcome, correction } = payload;
      told.push([id, outcome, correction && 'correction'].filter(Boolean).join(' '));
      onDelivered();
    };
    const teller = { deliver, drop: () => undefined };
    return new IncomingDeliveries(door.doors, 'env', sealOf(secret), teller, new Heard(), () => undefined);
  };
  const result = (id: string, outcome: string, node = 'sale') =>
    ({ id, exit: 'done', origin: { node, message: {} }, payload: { operationId: id, outcome } }) as Delivery;
  const post = async (remote: RemoteDeliveries, delivery: Delivery, sequence = 1): Promise<void> => {
    remote.deliver(delivery, sequence, 'door', () => undefined);
    await remote.look();
  };

  it('that were sealed under a key of before are told once the leader has the new one', async () => {
    await post(remoteOf('old'), result('one', 'approved'));
    const incoming = incomingOf('new');
    await incoming.look();
    assert.deepEqual(told, []);
    await post(remoteOf('new'), result('one', 'approved'));
    await incoming.look();
    assert.deepEqual(told, ['one approved']);
  });

  it('of any number of nodes that are gone keep no later one waiting', async () => {
    const remote = remoteOf();
    for (let number = 1; number <= 100; number++)
      await post(remote, result(`of a removed node ${number}`, 'approved', 'removed'));
    await post(remote, result('one', 'approved'));
    const incoming = incomingOf();
    await incoming.look();
    await incoming.look();
    assert.deepEqual(told, ['one approved']);
  });

  it('are a correction only where their message has heard something before', async () => {
    const remote = remoteOf();
    for (const [place, outcome] of ['unknown', 'approved'].entries())
      await post(remote, result('one', outcome), place + 1);
    await incomingOf().look();
    assert.deepEqual(told, ['one approved'], 'the first was replaced before it was told');
    const incoming = incomingOf();
    for (const [place, outcome] of ['unknown', 'declined'].entries()) {
      await post(remote, result('two', outcome), place + 1);
      await incoming.look();
    }
    assert.deepEqual(told.slice(1), ['two unknown', 'two declined correction']);
  });

  it('are a correction where what they replace may have been told by a process that has ended', async () => {
    const remote = remoteOf();
    const unknown = result('one', 'unknown');
    await post(remote, { ...unknown, payload: { ...unknown.payload, redelivered: true } });
    const declined = result('one', 'declined');
    await post(remote, { ...declined, payload: { ...declined.payload, correction: true } }, 2);
    await incomingOf().look();
    assert.deepEqual(told, ['one declined correction']);
  });

  it('are posted once at a time, so that a door that is back does not tell what the leader tells', async () => {
    const { deliveries } = leader.doors;
    const release: (() => void)[] = [];
    const slowly = async (posted: Parameters<typeof deliveries.post>[0]) => {
      const state = await deliveries.post(posted);
      await new Promise<void>((resolve) => release.push(resolve));
      return state;
    };
    const doors = { replica: 'leader', deliveries: { ...deliveries, post: slowly } };
    const here = ({ id }: Delivery): void => void told.push(`${id} at the leader`);
    const remote = new RemoteDeliveries(doors, 'env', sealOf('secret'), here, () => undefined);
    leader.fleet.replicas.delete('door');
    remote.deliver(result('one', 'approved'), 1, 'door', () => undefined);
    await setImmediate();
    leader.fleet.replicas.set('door', Number.POSITIVE_INFINITY);
    const looked = remote.look();
    await setImmediate();
    for (const resolve of release) resolve();
    await looked;
    await incomingOf().look();
    assert.deepEqual(told, ['one at the leader']);
  });

  it('of a door that has ended are marked also where the database was away until they were old', async () => {
    const here = ({ id, payload }: Delivery): void =>
      void told.push(`${id} at the leader${payload.redelivered ? ', perhaps again' : ''}`);
    const remote = new RemoteDeliveries(leader.doors, 'env', sealOf('secret'), here, () => undefined);
    await post(remote, result('one', 'approved'));
    door.kill();
    await leader.fleet.clock.advance(11 * 60_000);
    // Counts the door as dead, and forgets what was posted to it, in one go.
    await leader.doors.sweep();
    await remote.look();
    assert.deepEqual(told, ['one at the leader, perhaps again']);
  });

  it('that replace one which waits for its node are told alone', async () => {
    const remote = remoteOf();
    const incoming = incomingOf();
    nodes.clear();
    await post(remote, result('one', 'unknown'));
    await incoming.look();
    await post(remote, result('one', 'approved'), 2);
    await incoming.look();
    nodes.add('sale');
    for (const _ of [1, 2]) await incoming.look();
    const both = [1, 2].map((sequence) => ({ message: 'one', sequence }));
    assert.deepEqual(told, [], 'the newer one is with the dispatcher');
    assert.deepEqual(await leader.doors.deliveries.states(both), ['waiting', 'waiting'], 'nobody has heard of either');
    await incomingOf().look();
    assert.deepEqual(told, ['one approved'], 'whoever tells it later knows that too');
    assert.deepEqual(await leader.doors.deliveries.states(both), ['told', 'told'], 'it is replaced');
  });

  it('which a next leader takes for a question reach who has heard the "no" before', async () => {
    const incoming = incomingOf();
    const no = { verdict: { ...NOT_CHARGED, final: false }, source: 'recovery' as const };
    const state: DeliveryState = {
      ...{ reported: 'not-charged', deliveries: 1, latest: { sequence: 1, ...no } },
      pending: { sequence: 1, correction: false, ...no },
    };
    await post(remoteOf(), result('one', 'not-charged'));
    await incoming.look();
    const { pending, deliveries, latest } = withoutOldNo(state);
    assert.deepEqual([pending?.sequence, latest?.sequence], [deliveries, deliveries]);
    await post(remoteOf(), result('one', 'unknown'), pending?.sequence);
    await incoming.look();
    assert.deepEqual(told, ['one not-charged', 'one unknown correction']);
  });
});
