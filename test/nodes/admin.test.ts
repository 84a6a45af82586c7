import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { request } from 'undici';
import { type Detail, MOST_CHANGED, type Summary } from '../../src/nodes/admin/contract.js';
import { AdminSuite, TERMINAL } from './admin-suite.js';

describe('what the editor asks', () => {
  const suite = new AdminSuite();

  function sold(amount = '10.00'): Promise<string> {
    return sent({ payload: { amount, currency: 'EUR' } });
  }

  function soldAt(terminal: object): Promise<string> {
    return sent({ payload: { amount: '10.00', currency: 'EUR' }, terminal });
  }

  async function sent(msg: object): Promise<string> {
    const engine = await suite.flow.environment().engine();
    const closed = new Promise<void>((resolve) => {
      const leave = engine.observe((record) => {
        if (!record.closed) return;
        leave();
        resolve();
      });
    });
    suite.flow.send(msg);
    const { msg: answer } = await suite.flow.answer(suite.flow.answers().length + 1);
    // The journal has it last: that the flow was told.
    await closed;
    return answer.payload.operationId;
  }

  async function listed(): Promise<Summary[]> {
    return (await suite.ask<{ operations: Summary[] }>('operations')).body.operations;
  }

  it('is told of every operation: where, how much, and what became of it', async () => {
    await suite.start();
    const approved = await sold('12.50');
    const declined = await sold('37.84');
    const [second, first] = await listed();
    assert.deepEqual([first?.id, second?.id, second?.outcome], [approved, declined, 'declined']);
    const { at, transactionId, card, approvalCode, ...rest } = first as Summary;
    assert.ok(at > 0);
    assert.match(transactionId, /^[0-9a-f-]{36}$/);
    assert.match(card, /^\w+ [\d*]+\d{4}$/);
    assert.match(approvalCode, /^\w{6}$/);
    assert.deepEqual(rest, {
      id: approved,
      environment: 'environment',
      node: 'sale',
      operation: 'sale',
      terminal: '10000001',
      amount: '12.50',
      currency: 'EUR',
      original: '',
      orderReference: '',
      reference: approved,
      tip: '',
      outcome: 'approved',
      standing: 'over',
    });
  });

  it('is told of the operations whose ids it names, and of nothing that is not there', async () => {
    await suite.start();
    const [first, , third] = [await sold('12.50'), await sold('37.84'), await sold('13.50')];
    const { body } = await suite.ask<{ operations: Summary[] }>(`operations?ids=${third},nobody,${first},${third}`);
    const all = await listed();
    assert.deepEqual(
      body.operations,
      [third, first].map((id) => all.find((one) => one.id === id)),
    );
    const tooMany = Array.from({ length: MOST_CHANGED + 1 }, (_, place) => `${place}`).join();
    for (const query of ['ids=', 'ids=,', `ids=${tooMany}`, 'ids=1&ids=2'])
      assert.equal((await suite.ask(`operations?${query}`)).status, 422, query.slice(0, 20));
    assert.equal((await suite.ask(`operations?ids=${tooMany.slice(2)}`)).status, 200);
  });

  it('starts no engine and makes no journal by looking', async () => {
    const folder = join(tmpdir(), `journal-${process.pid}-not-there`);
    await suite.start({ folder });
    assert.deepEqual(await listed(), []);
    assert.equal(await suite.flow.environment().engineIfAny(), undefined);
    assert.equal(existsSync(folder), false);
  });

  it('is told of one operation with its timeline and its receipts, as they came', async () => {
    await suite.start();
    const id = await sold();
    const { body } = await suite.ask<Detail>(`operations/${id}`);
    assert.ok(body.timeline.length > 2);
    assert.match(body.summary.transactionId, /^[0-9a-f-]{36}$/);
    assert.notEqual(body.receipts?.customer.value, '');
    assert.equal(body.reversible, 'payment');
    assert.equal(body.summary.reason, undefined);
    assert.equal((await suite.ask('operations/nobody')).status, 404);
  });

  /** Resolves once the journal has the end of an operation. */
  async function over(operationId: string): Promise<void> {
    const engine = await suite.flow.environment().engine();
    const [known] = await engine.find({ operationId }, 1);
    if (known?.closed) return;
    await new Promise<void>((resolve) => {
      engine.observe((record) => {
        if (record.operationId === operationId && record.closed) resolve();
      });
    });
  }

  it('takes a payment back once, and the bank agrees', async () => {
    await suite.start();
    const id = await sold();
    const moved = (): number => suite.service.bank.netMoved(id);
    assert.equal(moved(), 1000);
    const { status, body } = await suite.ask<{ operationId: string }>(`operations/${id}/reverse`, { key: 'one' });
    assert.equal(status, 200);
    await over(body.operationId);
    assert.equal(moved(), 0);
    assert.equal(suite.flow.answers().length, 1, 'no flow is told what it did not ask');
    const { reversible, takenBackBy } = (await suite.ask<Detail>(`operations/${id}`)).body;
    assert.deepEqual([reversible, takenBackBy?.id], [undefined, body.operationId]);
    const again = await suite.ask<{ code: string }>(`operations/${id}/reverse`, { key: 'another' });
    assert.deepEqual([again.status, again.body.code], [409, 'ALREADY_REVERSED']);
    assert.equal((await listed()).length, 2);
  });

  it('takes a payment back once, however many ask for it at the same time', async () => {
    await suite.start();
    const id = await sold();
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((key) => suite.ask<{ operationId: string }>(`operations/${id}/reverse`, { key })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
    await over(answers.find(({ status }) => status === 200)?.body.operationId ?? '');
    assert.equal(suite.service.bank.netMoved(id), 0);
    assert.deepEqual(
      (await listed()).map(({ operation, outcome }) => [operation, outcome]),
      [
        ['reversal', 'refunded'],
        ['sale', 'approved'],
      ],
    );
  });

  it('gives the same dialog the same answer, however often it asks', async () => {
    await suite.start();
    const id = await sold();
    const ask3 = [1, 2, 3].map(() => suite.ask<{ operationId: string }>(`operations/${id}/reverse`, { key: 'one' }));
    const answers = await Promise.all(ask3);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(new Set(answers.map(({ body }) => body.operationId)).size, 1);
    assert.equal((await suite.ask(`operations/${id}/reverse`, {})).status, 422, 'no key, no reversal');
  });

  const refund = (id: string, key: string, amount: string, way = 'terminal') =>
    suite.ask<{ operationId: string; code?: string }>(`operations/${id}/refund`, { key, amount, way });

  it('refunds a part on the terminal, then what is left of it, and never more', async () => {
    await suite.start();
    const before = suite.service.bank.netMoved();
    const id = await sold();
    const { refundable } = (await suite.ask<Detail>(`operations/${id}`)).body;
    assert.deepEqual(refundable, { left: '10.00', currency: 'EUR', ways: ['gateway', 'terminal'] });
    assert.equal((await refund(id, 'much', '10.01')).status, 422);
    assert.equal((await refund(id, 'none', '0.00')).status, 422);
    // Which of the two dialogs comes first, the network decides.
    const [one, again, two] = await Promise.all([
      refund(id, 'one', '4.00'),
      refund(id, 'one', '4.00'),
      refund(id, 'two', '4.00'),
    ]);
    const [first, ...others] = one.status === 200 ? [one, two] : [two, one, again];
    assert.deepEqual([first.status, ...others.map(({ status }) => status)], [200, ...others.map(() => 409)]);
    if (first === one) assert.equal(again.body.operationId, first.body.operationId);
    await over(first.body.operationId);
    assert.equal(suite.service.bank.netMoved() - before, 600);
    const left = (await suite.ask<Detail>(`operations/${id}`)).body.refundable;
    assert.deepEqual(left, { left: '6.00', currency: 'EUR', ways: ['terminal'] }, 'a reversal would be refused now');
    assert.equal((await refund(id, 'three', '6.01')).status, 422);
    await over((await refund(id, 'three', '6.00')).body.operationId);
    assert.equal(suite.service.bank.netMoved() - before, 0);
    assert.equal((await suite.ask<Detail>(`operations/${id}`)).body.refundable, undefined);
    assert.equal((await refund(id, 'four', '1.00')).status, 404);
  });

  it('refunds a part at the gateway without the card, where the acquirer group offers that', async () => {
    await suite.start();
    const before = suite.service.bank.netMoved();
    const id = await sold();
    const { status, body } = await refund(id, 'part', '2.50', 'gateway');
    assert.equal(status, 200);
    await over(body.operationId);
    assert.equal(suite.service.bank.netMoved() - before, 750);
    const { reverses, amount } = (await suite.ask<Detail>(`operations/${body.operationId}`)).body.summary;
    assert.deepEqual([reverses, amount], ['part', '2.50']);
  });

  it('takes a note that it was dealt with, with who and when; it leaves the list, and comes back when that is withdrawn', async () => {
    await suite.start();
    const id = await sold('37.57');
    const standing = async (): Promise<string | undefined> => (await listed()).find((one) => one.id === id)?.standing;
    const detail = async (): Promise<Detail> => (await suite.ask<Detail>(`operations/${id}`)).body;
    assert.deepEqual([await standing(), (await detail()).canHandle], ['attention', 'handle']);
    for (const note of ['', '   ', 'x'.repeat(501), 4711]) {
      assert.equal((await suite.ask(`operations/${id}/handled`, { note })).status, 422);
    }
    assert.equal(
      (await suite.ask(`operations/${id}/handled`, { note: ' rest paid in cash, card 4111 1111 1111 1111 ' })).status,
      200,
    );
    assert.deepEqual([await standing(), (await detail()).canHandle], ['over', 'withdraw']);
    const { at, ...line } = (await detail()).timeline.at(-1) ?? { at: 0 };
    assert.ok(Math.abs(at - Date.now()) < 60_000);
    assert.deepEqual(line, { event: 'handled', by: 'unknown', note: 'rest paid in cash, card [card ending 1111]' });
    assert.equal((await suite.ask(`operations/${id}/handled/withdraw`, {})).status, 200);
    assert.deepEqual([await standing(), (await detail()).canHandle], ['attention', 'handle']);
    assert.deepEqual(
      (await detail()).timeline.slice(-2).map(({ event }) => event),
      ['handled', 'handled-withdrawn'],
    );
    assert.equal((await suite.ask('operations/nobody/handled', { note: 'x' })).status, 404);
  });

  it('says of a reversal how much it took back, and of what', async () => {
    await suite.start();
    const id = await sold('12.50');
    const { body } = await suite.ask<{ operationId: string }>(`operations/${id}/reverse`, { key: 'one' });
    await over(body.operationId);
    const { summary, original } = (await suite.ask<Detail>(`operations/${body.operationId}`)).body;
    assert.deepEqual([summary.amount, summary.currency, summary.reverses], ['12.50', 'EUR', 'whole']);
    assert.equal(original?.id, id);
    assert.equal(summary.original, original?.transactionId);
  });

  it('says why a payment was refused or declined', async () => {
    await suite.start();
    const declined = (await suite.ask<Detail>(`operations/${await sold('37.84')}`)).body;
    assert.match(declined.summary.reason?.message ?? '', /\w/);
    const elsewhere = await soldAt({ ...TERMINAL, serial_number: '99999999' });
    const refused = (await suite.ask<Detail>(`operations/${elsewhere}`)).body;
    assert.equal(refused.summary.outcome, 'refused');
    assert.match(`${refused.summary.reason?.code} ${refused.summary.reason?.message}`, /^1004 \w/);
  });

  it('reverses nothing that moved no money', async () => {
    await suite.start();
    const id = await sold('37.84');
    assert.equal((await suite.ask(`operations/${id}/reverse`, { key: 'one' })).status, 404);
  });

  it('asks the status service what it knows of a payment', async () => {
    await suite.start();
    const id = await sold();
    const { body } = await suite.ask<{ isOpen: boolean; entries: object[] }>(`operations/${id}/check-now`, {});
    assert.deepEqual(body, {
      isOpen: false,
      entries: [{ type: 'SALE', finStatus: 'AUTHORISED', amount: '10.00', currency: 'EUR' }],
    });
  });

  it('takes nothing that a form of a foreign page could send', async () => {
    await suite.start();
    const id = await sold();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { 'content-type': type };
      const answer = await fetch(`${suite.flow.url}/payment-admin/operations/${id}/reverse`, {
        method: 'POST',
        headers,
      });
      assert.equal(answer.status, 415);
    }
    assert.equal(suite.service.bank.netMoved(id), 1000);
  });

  it('answers its own pages and what is no page, and no page of another site', async () => {
    await suite.start();
    const id = await sold();
    const own = new URL(suite.flow.url).host;
    const asked = async (headers: Record<string, string>, method = 'POST'): Promise<number> => {
      const path = method === 'POST' ? `operations/${id}/reverse` : 'operations';
      const body = method === 'POST' ? { body: JSON.stringify({ key: JSON.stringify(headers) }) } : {};
      const json = { 'content-type': 'application/json' };
      return (
        await request(`${suite.flow.url}/payment-admin/${path}`, { method, headers: { ...json, ...headers }, ...body })
      ).statusCode;
    };
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: `http://${own}` },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ];
    for (const headers of foreign) {
      assert.equal(await asked(headers), 403, JSON.stringify(headers));
      assert.equal(await asked(headers, 'GET'), 403, JSON.stringify(headers));
    }
    assert.equal(suite.service.bank.netMoved(id), 1000);
    assert.equal(await asked({ 'sec-fetch-site': 'same-origin', origin: `http://${own}` }, 'GET'), 200);
    assert.equal(await asked({ origin: `http://${own}` }), 200);
  });
});
