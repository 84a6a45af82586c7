import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { RateLimiterRegistry } from '../../../../src/core/api/transport/rate-limiter.js';
import { AnswerLostError, NotSentError, RefusedError, StandbyError } from '../../../../src/core/base/errors.js';
import type { HttpRequest } from '../../../../src/core/base/seams.js';
import { Door } from '../../../../src/core/engine/doors/door.js';
import { openShop, type Shop, type Till } from '../../../harness/shop.js';

const SECOND = 1000;
const PING = { operation: 'pingDevice', serial_number: '10000001', terminal_type: 'SIMULATEDT1' } as const;

/** What has no record: a door that is asked for it sends nothing itself where it counts against the rate of the key. */
describe('requests of a door that count against the rate of the key', () => {
  let shop: Shop;
  /** Requests that left the leader. */
  let sent: { at: number; url: string }[];

  beforeEach(() => {
    shop = openShop();
    sent = [];
  });
  afterEach(() => shop.close());

  const note = (request: HttpRequest) => {
    sent.push({ at: shop.clock.now(), url: request.url });
    return shop.world.simulator.send(request);
  };
  const leads = (options: object = {}): Promise<Till> => {
    const replica = shop.fleet.join('leader').lead();
    return shop.listening(replica, shop.world.createEngine({ journal: replica.journal, send: note, ...options }));
  };
  /** Asks the service itself for nothing but what its own keys open. */
  const stands = (options: object = {}): Promise<Till> => {
    const replica = shop.fleet.join('door');
    const send = (request: HttpRequest) =>
      request.url.endsWith('/devices') ? shop.world.simulator.send(request) : assert.fail(request.url);
    const door = new Door({ ...shop.engineOptions(), journal: replica.journal, send, ...options });
    return shop.listening(replica, door);
  };
  const ping = ({ payments }: Till) => payments.client.transactions.start(PING);

  it('leave by the leader, within the one rate', async () => {
    const [leader, door] = [await leads(), await stands()];
    await shop.clock.advance(2 * SECOND);
    const before = sent.length;
    // Some find the terminal busy with another.
    await shop.after(Promise.allSettled([leader, door, leader, door, leader, door].map(ping)));
    const times = sent.slice(before).map(({ at }) => at);
    assert.equal(times.length, 6);
    for (const at of times)
      assert.ok(times.filter((other) => other >= at && other < at + SECOND).length <= 2, `${times}`);
  });

  it('are questions too, where these count', async () => {
    await leads({ countReads: true });
    const door = await stands({ countReads: true });
    const listed = await shop.after(door.payments.client.devices.list());
    assert.ok(listed.length > 0);
    assert.equal(sent.filter(({ url }) => url.endsWith('/devices')).length, 2, 'the leader asks for itself as well');
    assert.doesNotMatch(JSON.stringify([...shop.fleet.requests.values()]), /ssk-|10000001|devices/, 'sealed');
  });

  it('are refused as if they had left there', async () => {
    await leads();
    const door = await stands();
    const elsewhere = door.payments.client.transactions.start({ ...PING, serial_number: '99999999' });
    await assert.rejects(shop.after(elsewhere), RefusedError);
  });

  it('were not sent where nobody leads', async () => {
    await assert.rejects(shop.after(ping(await stands())), StandbyError);
    await leads();
    await shop.clock.advance(60 * SECOND);
    assert.equal(sent.filter(({ url }) => url.endsWith('/transactions')).length, 0);
  });

  it('are not sent by a leader that may not act', async () => {
    const [leader, door] = [await leads(), await stands()];
    leader.replica.journal.mayAct = () => false;
    await assert.rejects(shop.after(ping(door)), NotSentError);
  });

  it('are not sent any more when their door has stopped waiting', async () => {
    const rateLimiters = new RateLimiterRegistry(shop.clock);
    await leads({ rateLimiters });
    const door = await stands();
    await shop.clock.advance(2 * SECOND);
    const { baseUrl, apiKey } = shop.engineOptions();
    rateLimiters.join(baseUrl, apiKey, 2).rateLimiter.pause(90 * SECOND);
    await assert.rejects(shop.after(ping(door), 65 * SECOND), AnswerLostError);
    await shop.clock.advance(60 * SECOND);
    assert.equal(sent.filter(({ url }) => url.endsWith('/transactions')).length, 0);
  });

  it('may have been sent where their door was cut off for longer than anybody knows what became of them', async () => {
    await leads({ send: () => new Promise(() => undefined) });
    const door = await stands();
    const lost = assert.rejects(ping(door), AnswerLostError);
    await shop.clock.runUntil(() => [...shop.fleet.requests.values()].some(({ answer }) => answer === 'begun'), 5000);
    door.replica.cut();
    await shop.clock.advance(15 * 60 * SECOND);
    assert.equal(shop.fleet.requests.size, 0);
    door.replica.bringBack();
    await shop.clock.advance(5 * SECOND);
    await lost;
  });

  it('have lost their answer where that cannot be opened', async () => {
    await leads();
    const door = await stands();
    const { requests } = door.replica.doors;
    const { answers } = requests;
    requests.answers = async (ids) =>
      new Map(
        [...(await answers(ids))].map(([id, answer]) => [id, answer === 'begun' ? answer : '{"value":"spoilt"}']),
      );
    await assert.rejects(shop.after(ping(door)), AnswerLostError);
  });

  it('may have been sent where the leader ends with them, and the next one does not send them again', async () => {
    const leader = await leads({ send: () => new Promise(() => undefined) });
    const door = await stands();
    const pinged = ping(door);
    const lost = assert.rejects(shop.after(pinged, 5 * 60 * SECOND), AnswerLostError);
    await shop.clock.runUntil(() => [...shop.fleet.requests.values()].some(({ answer }) => answer === 'begun'), 5000);
    leader.replica.kill();
    const next = await shop.leads('next');
    await lost;
    assert.deepEqual(shop.world.started, []);
    assert.ok(next.replica.leads);
  });
});
