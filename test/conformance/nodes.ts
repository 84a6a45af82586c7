import assert from 'node:assert/strict';
import { action, type Flow, type Left, type Service, startFlow, startService } from '../nodes/flow.js';
import { chapter } from './row.js';

/** Every operation that a node offers, through that node in a real Node-RED, its effect read from the ledger. */

/** One node of each type; what it does, the message says. */
function anyOf(type: string, ...fields: string[]): object {
  const fromMessage = fields.flatMap((field) => [
    [field, field],
    [`${field}Type`, 'msg'],
  ]);
  return action(type, type, Object.fromEntries(fromMessage));
}

const NODES = [
  anyOf('payment-refund', 'operation'),
  anyOf('payment-reversal', 'where', 'whole', 'operation'),
  anyOf('payment-moto', 'operation', 'how', 'linked'),
  anyOf('payment-preauth', 'operation', 'tip'),
  anyOf('payment-tip'),
  anyOf('payment-token', 'operation'),
  anyOf('payment-batch', 'operation'),
  anyOf('payment-status', 'operation', 'selector'),
  anyOf('payment-device', 'operation', 'settings'),
];

let opened: Promise<{ service: Service; flow: Flow }> | undefined;

/** The flow that all rows share. It is opened by the first of them. */
function shared(): Promise<{ service: Service; flow: Flow }> {
  opened ??= (async () => {
    const service = await startService();
    return {
      service,
      flow: await startFlow({ service, sale: { operation: 'operation', operationType: 'msg' }, more: NODES }),
    };
  })();
  return opened;
}

/** Ends what the rows share. */
export async function closeNodes(): Promise<void> {
  const { service, flow } = (await opened) ?? {};
  opened = undefined;
  await flow?.stop();
  await service?.stop();
}

/** Sends a message to a node; it must leave by the first output. What the ledger has moved and holds since is added. */
async function done(type: string, msg: object): Promise<Left['msg'] & { moved: number; held: number }> {
  const { flow, service } = await shared();
  const before = [service.bank.netMoved(), service.bank.netHeld()] as const;
  const { output, msg: answer } = await flow.run(msg, type);
  assert.equal(output, 'done', `${JSON.stringify(answer.payload)} ${JSON.stringify(answer.error)}`);
  const moved = service.bank.netMoved() - before[0];
  return Object.assign(answer, { moved, held: service.bank.netHeld() - before[1] });
}

let price = 5000;
/** A price of its own: the same twice within five minutes would ask the cardholder. */
const amount = (): string => (++price / 100).toFixed(2);
const money = (more: object = {}) => ({ payload: { amount: amount(), currency: 'EUR', ...more } });

const sell = (operation = 'sale') => done('sale', { ...money(), operation });
const hold = () => done('payment-preauth', { ...money(), operation: 'create' });
const keyed = (operation: string, more: object = {}) =>
  done('payment-moto', { ...money(more), operation, how: 'keyed', linked: 'unlinked' });

/** What an earlier message says of its payment. */
function of({ payload }: Left['msg'], more: object = {}): { payload: object } {
  const { transactionId, reference, amount: paid } = payload;
  return { payload: { transactionId, reference, amount: paid?.total, currency: 'EUR', ...more } };
}

/** A stored card's token. */
async function token(): Promise<{ token: string }> {
  const { payload } = await done('payment-token', { payload: {}, operation: 'tokenizeCard' });
  return { token: payload.card.token ?? '' };
}

const byToken = async (operation: string, more: object = {}) =>
  done('payment-moto', { ...money({ card: await token(), ...more }), operation, how: 'token', linked: 'unlinked' });

const device = (operation: string, more: object = {}) => done('payment-device', { payload: {}, operation, ...more });
const COMMANDS: Record<string, object> = {
  'set-unattended-mode': { status: true },
  'set-locale': { locale: 'fr_CA' },
  'set-password-protected': { status: false },
  'set-screen-brightness': { minimumBrightnessLevel: 0, maximumBrightnessLevel: 100 },
  'set-reboot-time': { hour: 4 },
  'set-security-policy': { hideTabBar: true },
};

export const BY_NODES = chapter('Through the nodes', {
  'payment-sale: sale': async () => {
    const { moved, payload } = await sell();
    assert.deepEqual([payload.outcome, moved], ['approved', payload.amount?.minor.total]);
  },
  'payment-sale: saleAndTokenizeCard': async () => {
    const { moved, payload } = await sell('saleAndTokenizeCard');
    assert.equal(moved, payload.amount?.minor.total);
    assert.notEqual(payload.card.token ?? '', '');
  },
  'payment-refund: refund, linked': async () => {
    const sale = await sell();
    const { moved } = await done('payment-refund', { ...of(sale), operation: 'linked' });
    assert.equal(moved, -sale.moved);
  },
  'payment-refund: refund, unlinked': async () => {
    const { moved, payload } = await done('payment-refund', { ...money(), operation: 'unlinked' });
    assert.equal(moved, -(payload.amount?.minor.total ?? 0));
  },
  'payment-reversal: POST /reversal, whole': async () => {
    const sale = await sell();
    const asked = { ...of(sale), where: 'gateway', whole: 'whole', operation: 'saleReversal' };
    assert.equal((await done('payment-reversal', asked)).moved, -sale.moved);
  },
  'payment-reversal: POST /reversal, in part': async () => {
    const asked = { where: 'gateway', whole: 'part', operation: 'saleReversal' };
    const { moved } = await done('payment-reversal', { ...of(await sell(), { amount: '5.00' }), ...asked });
    assert.equal(moved, -500);
  },
  'payment-reversal: saleReversal': async () => {
    const sale = await sell();
    const asked = { ...of(sale), where: 'terminal', whole: 'whole', operation: 'saleReversal' };
    assert.equal((await done('payment-reversal', asked)).moved, -sale.moved);
  },
  'payment-reversal: refundReversal': async () => {
    const refund = await done('payment-refund', { ...money(), operation: 'unlinked' });
    const asked = { ...of(refund), where: 'terminal', whole: 'whole', operation: 'refundReversal' };
    assert.equal((await done('payment-reversal', asked)).moved, -refund.moved);
  },
  'payment-reversal: preAuthorizationReversal': async () => {
    const held = await hold();
    const asked = { ...of(held), where: 'terminal', whole: 'whole', operation: 'preAuthorizationReversal' };
    assert.equal((await done('payment-reversal', asked)).held, -held.held);
  },
  'payment-reversal: moToReversal': async () => {
    const sale = await keyed('sale');
    const asked = { ...of(sale), where: 'terminal', whole: 'whole', operation: 'moToReversal' };
    assert.equal((await done('payment-reversal', asked)).moved, -sale.moved);
  },
  'payment-moto: moToSale': async () => assert.ok((await keyed('sale')).moved > 0),
  'payment-moto: moToRefund': async () => assert.ok((await keyed('refund')).moved < 0),
  'payment-moto: moToReversal': async () => {
    const sale = await keyed('sale');
    const asked = { ...of(sale), operation: 'reversal', how: 'keyed', linked: 'linked' };
    assert.equal((await done('payment-moto', asked)).moved, -sale.moved);
  },
  'payment-moto: moToPreAuthorization': async () => {
    const { moved, held } = await keyed('preAuthorization');
    assert.ok(moved === 0 && held > 0);
  },
  'payment-moto: POST /moto/sale': async () => assert.ok((await byToken('sale')).moved > 0),
  'payment-moto: POST /moto/refund, unlinked': async () => assert.ok((await byToken('refund')).moved < 0),
  'payment-moto: POST /moto/refund, linked': async () => {
    const sale = await byToken('sale');
    const asked = { ...of(sale), operation: 'refund', how: 'token', linked: 'linked' };
    assert.equal((await done('payment-moto', asked)).moved, -sale.moved);
  },
  'payment-moto: POST /moto/reversal, deprecated': async () => {
    const sale = await byToken('sale');
    const asked = { ...of(sale), operation: 'reversal', how: 'token', linked: 'linked' };
    assert.equal((await done('payment-moto', asked)).moved, -sale.moved);
  },
  'payment-preauth: preAuthorization': async () => {
    const { moved, held } = await hold();
    assert.ok(moved === 0 && held > 0);
  },
  'payment-preauth: POST /preauthorization/capture, with a tip': async () => {
    const asked = { operation: 'capture', tip: '2.00' };
    const { moved } = await done('payment-preauth', { ...of(await hold(), { amount: '10.00' }), ...asked });
    assert.equal(moved, 1200);
  },
  'payment-preauth: release': async () => {
    const held = await hold();
    assert.equal((await done('payment-preauth', { ...of(held), operation: 'release' })).held, -held.held);
  },
  'payment-tip: tip adjustment': async () => {
    const sale = await sell();
    const { moved } = await done('payment-tip', { payload: { ...sale.payload }, tip: '3.00' });
    assert.equal(moved, 300);
  },
  'payment-token: tokenizeCard': async () => assert.notEqual((await token()).token, ''),
  'payment-token: deferred token': async () => {
    const { payload } = await done('payment-token', { ...of(await sell()), operation: 'fetch' });
    assert.notEqual(payload.card.token ?? '', '');
  },
  'payment-status: first, last, all, an index': async () => {
    const sale = await sell();
    await done('payment-refund', { ...of(sale, { amount: '1.00' }), operation: 'linked' });
    const types: unknown[] = [];
    for (const selector of ['first', 'last', 'all', '2']) {
      const { payload } = await done('payment-status', { ...of(sale), operation: 'status', selector });
      types.push((payload as unknown as { results: { type: string }[] }).results.map(({ type }) => type));
    }
    assert.deepEqual(types, [['SALE'], ['REFUND'], ['SALE', 'REFUND'], ['REFUND']]);
  },
  'payment-status: the net amount of a chain': async () => {
    const sale = await sell();
    await done('payment-refund', { ...of(sale, { amount: '1.00' }), operation: 'linked' });
    const { payload } = await done('payment-status', { ...of(sale), operation: 'net', selector: '' });
    assert.equal(payload.amount?.minor.total, sale.moved - 100);
  },
  'payment-status: the journal': async () => {
    const sale = await sell();
    const { payload } = await done('payment-status', { ...of(sale), operation: 'journal', selector: '' });
    const { operations } = payload as unknown as { operations: { operation: string }[] };
    assert.deepEqual(
      operations.map(({ operation }) => operation),
      ['sale'],
    );
  },
  'payment-device: GET /devices, without the virtual terminal and without ssk': async () => {
    const { payload } = await device('list');
    assert.equal((payload as unknown as { terminals: object[] }).terminals.length, 3);
    assert.doesNotMatch(JSON.stringify(payload), /ssk|"VT"/);
  },
  'payment-device: pingDevice': async () => {
    assert.equal((await device('pingDevice')).payload.device?.batteryStatus, '87%');
  },
  'payment-device: stopCurrentTransaction': async () => {
    const { flow } = await shared();
    const { output, msg } = await flow.run({ payload: {}, operation: 'stopCurrentTransaction' }, 'payment-device');
    assert.deepEqual([output, msg.payload.error?.code], ['not-done', '1005']);
  },
  'payment-device: printReceipt': async () => {
    const { payload } = await sell();
    assert.equal((await device('printReceipt', { payload })).payload.outcome, 'completed');
  },
  'payment-device: cardPan': async () => {
    assert.match(String((await device('cardPan')).payload.result.unMaskedPan), /^\d{16}$/);
  },
  ...Object.fromEntries(
    Object.entries(COMMANDS).map(([command, settings]) => [
      `payment-device: ${command}`,
      async () => {
        assert.equal((await device(command, { settings })).payload.outcome, 'completed');
        const { service } = await shared();
        assert.deepEqual(service.simulator.terminal('10000001').settings.get(command), settings);
      },
    ]),
  ),
  'payment-device: reboot': async () => {
    assert.equal((await device('reboot', { settings: { force: false } })).payload.outcome, 'completed');
  },
  'payment-callback-in: the result that a terminal posts': async () => {
    const { flow } = await shared();
    const { payload } = await sell();
    // One more: by its end the result of the first has left.
    await sell();
    const results = flow.messages.filter(({ output }) => output === 'results').map(({ msg }) => msg.payload.reference);
    assert.ok(results.includes(payload.reference));
  },
  'payment-batch: POST /batch/close, /batch/summary, /batch/detail': async () => {
    await sell();
    for (const operation of ['close', 'summary', 'detail']) {
      const { payload } = await done('payment-batch', { payload: { batch: '123' }, operation });
      assert.equal(payload.result.batchStatus, 'CLOSED', operation);
    }
  },
});
