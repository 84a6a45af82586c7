import assert from 'node:assert/strict';
import { isBadKey } from '../../src/core/api/transport/error-answer.js';
import { AnswerLostError } from '../../src/core/base/errors.js';
import type { Capabilities, SimulatorOptions } from '../../src/simulator/index.js';
import { type Connected, connected, TERMINAL } from '../harness/connected.js';
import { chapter, refused } from './row.js';

/** Error patterns, HTTP statuses, terminal error numbers, capabilities, declines. */

const EUR = 'EUR';
const sale = { operation: 'sale', amount: '1000', currency: EUR } as const;
const NOBODY = 'e58ed763-928c-4155-bee9-fdbaaadc15f3';

/** A merchant who may not do this. */
export function without(capability: keyof Capabilities, options: Partial<SimulatorOptions> = {}): Connected {
  return connected({ merchants: [{ capabilities: { [capability]: false } }], ...options });
}

export const PATTERNS = chapter('Error patterns', {
  'A, asynchronous: 202, the outcome in finStatus, statusMessage, errorMessage': async () => {
    const { finStatus, statusMessage, errorMessage } = await connected().perform({ ...sale, amount: '3784' });
    assert.equal(finStatus, 'DECLINED');
    assert.ok(statusMessage !== '' && errorMessage !== '');
  },
  'A, exceptions: HTTP 400 with a terminal error number': async () => {
    const { client } = connected();
    const stop = client.transactions.start({ operation: 'stopCurrentTransaction', ...TERMINAL });
    assert.match((await refused(stop, '1005')).message, /No transaction in progress/);
  },
  'B, synchronous flat: statusCode, name, message, code, details': async () => {
    const { client, post } = connected();
    const { name, message, code, details } = (await post('/reversal', { originalGuid: NOBODY })).json.error as Record<
      string,
      unknown
    >;
    assert.deepEqual([name, code], ['BadRequestError', '3153']);
    assert.deepEqual(Object.keys(details as object).sort(), ['description', 'errorCode', 'httpStatus', 'reason']);
    const error = await refused(client.reversal.reverse({ originalGuid: NOBODY }), '3153');
    assert.equal(error.serviceName, 'BadRequestError');
    assert.ok(error.message.includes(String(message)));
  },
  'C, synchronous nested: the code at error.details.body.error.errorCode, the message is not used': async () => {
    const { client, get, held } = connected();
    const { transactionID } = await held();
    const { message } = (await get(`/transactions/${transactionID}/token`)).json.error as { message: string };
    const error = await refused(client.token.fetch(transactionID), '3112');
    assert.ok(!error.message.includes(message));
    assert.match(error.message, /not eligible/);
  },
});

export const HTTP_STATUSES = chapter('HTTP statuses', {
  '200: success': async () => {
    const { client, sold } = connected();
    assert.equal((await client.reversal.reverse({ originalGuid: (await sold()).transactionID })).httpStatus, '200');
  },
  '400 BadRequestError: business rejection': async () => {
    const error = await refused(connected().client.reversal.reverse({ originalGuid: NOBODY }), '3153', 400);
    assert.equal(error.serviceName, 'BadRequestError');
  },
  '403 ForbiddenError: bad key; with a business code it is no bad key': async () => {
    const key = await refused(connected({}, 'wrong').client.reversal.reverse({ originalGuid: NOBODY }), undefined, 403);
    assert.deepEqual([key.serviceName, isBadKey(key)], ['ForbiddenError', true]);
    const { client, held } = connected();
    const originalGuid = (await held('100')).transactionID;
    const decrease = client.preauthorization.increase({ originalGuid, increaseAmount: '1.00', subtract: '1' });
    assert.equal(isBadKey(await refused(decrease, '3212', 403)), false);
  },
  '404 NotFoundError: unknown result id': async () => {
    const { client, get } = connected();
    assert.equal((await get('/transaction-result/10000001-1')).status, 404);
    assert.deepEqual(await client.transactions.result('10000001-1'), { state: 'gone' });
  },
  '422 UnprocessableEntityError: details name the field': async () => {
    const { post } = connected();
    const { status, json } = await post('/moto/sale', { amount: '1.00' });
    const { name, code, details } = json.error as { name: string; code: string; details: { message: string }[] };
    assert.deepEqual([status, name, code], [422, 'UnprocessableEntityError', 'VALIDATION_FAILED']);
    assert.match(details.map(({ message }) => message).join(), /currency.*cardToken/);
  },
  '429: back off one second and retry': async () => {
    const { client, clock, simulator, sold } = connected();
    await sold();
    simulator.faults.arm({ kind: 'rate-limited', match: { endpoint: 'POST /batch/summary' } });
    const began = clock.now();
    const asked = client.batch.summary({ serialNumber: '10000001', deviceType: 'SIMULATEDT1', batchNumber: '123' });
    await clock.runUntilIdle();
    assert.equal((await asked).batchNumber, '123');
    const tries = simulator.requests.latest().filter(({ path }) => path === '/batch/summary');
    assert.deepEqual(
      tries.map(({ status, at }) => [status, Math.floor((at - began) / 1000)]),
      [
        [429, 0],
        [200, 1],
      ],
    );
  },
  '5xx: the outcome is unknown, never a refusal': async () => {
    const { client, simulator, sold } = connected();
    simulator.faults.arm({ kind: 'server-error-after', match: { endpoint: 'POST /reversal' } });
    const asked = client.reversal.reverse({ originalGuid: (await sold()).transactionID });
    await assert.rejects(asked, AnswerLostError);
    assert.equal(simulator.bank.netMoved(), 0);
  },
});

const start = (world: Connected, operation: 'sale' | 'stopCurrentTransaction') =>
  world.client.transactions.start({ ...TERMINAL, ...(operation === 'sale' ? sale : { operation }) });

export const TERMINAL_ERRORS = chapter('Terminal errors', {
  '1001: busy with another operation': async () => {
    const world = connected({ cardholder: 'none' });
    await start(world, 'sale');
    await refused(start(world, 'sale'), '1001');
  },
  '1002: offline, no device listening': async () => {
    const world = connected();
    world.terminal.goOffline();
    await refused(start(world, 'sale'), '1002');
  },
  '1003: stop not allowed at this step': async () => {
    const world = connected({ cardholder: 'none' });
    await start(world, 'sale');
    world.terminal.presentCard();
    await world.clock.advance(0);
    await refused(start(world, 'stopCurrentTransaction'), '1003');
  },
  '1003: allowed while awaiting the card and on the PIN screen': async () => {
    const world = connected({ cardholder: 'none' });
    await start(world, 'sale');
    world.terminal.presentCard({ entry: 'ICC' });
    await world.clock.advance(0);
    assert.equal(world.terminal.screen.stage, 'pin');
    await start(world, 'stopCurrentTransaction');
  },
  '1004: terminal not assigned to the key': async () => {
    const { client } = connected();
    await refused(client.transactions.start({ ...TERMINAL, serial_number: '9', ...sale }), '1004');
  },
  '1005: no transaction in progress to cancel': async () => {
    await refused(start(connected(), 'stopCurrentTransaction'), '1005');
  },
});

export const CAPABILITIES = chapter('Capabilities', {
  'preAuthAllowed off: 202, then DECLINED, arc 1000': async () => {
    const result = await without('preAuthAllowed').perform({ ...sale, operation: 'preAuthorization' });
    assert.deepEqual([result.finStatus, result.arc], ['DECLINED', '1000']);
    assert.match(result.statusMessage ?? '', /[Pp]re-authorisations are not enabled/);
  },
  'refundAllowed off: 202, then DECLINED, refund not allowed': async () => {
    const { perform, simulator } = without('refundAllowed');
    const result = await perform({ ...sale, operation: 'refund' });
    assert.equal(result.finStatus, 'DECLINED');
    assert.match(result.statusMessage ?? '', /Refund not allowed/);
    assert.equal(simulator.bank.netMoved(), 0);
  },
  'partialReversalAllowed off: 400 code 3109, synchronous': async () => {
    const world = without('partialReversalAllowed');
    const { transactionID: originalGuid } = await world.sold();
    await refused(world.client.reversal.reverse({ originalGuid, amount: '1.00', currency: EUR }), '3109');
  },
  'supportsMoto off: 202, then FAILED with errorMessage': async () => {
    const { finStatus, errorMessage } = await without('supportsMoto').perform({ ...sale, operation: 'moToSale' });
    assert.equal(finStatus, 'FAILED');
    assert.notEqual(errorMessage, '');
  },
  'supportsMoto off: /moto/* is refused': async () => {
    const { client } = without('supportsMoto');
    const asked = client.moto.sale({ amount: '1.00', currency: EUR, cardToken: 'x' });
    await refused(asked, 'MOTO_NOT_ENABLED', 403);
  },
  'cardTokenProvider off: 202, then DECLINED, no cardToken, no transactionID, requestedAmount 0': async () => {
    const result = await without('cardTokenProvider').perform({ ...sale, operation: 'saleAndTokenizeCard' });
    assert.equal(result.finStatus, 'DECLINED');
    assert.match(result.statusMessage ?? '', /[Cc]ard token failure/);
    assert.deepEqual([result.cardToken, result.transactionID, result.requestedAmount], ['', '', 0]);
  },
  'debitCardsOnly: DECLINED on real acquirers only': async () => {
    const credit = (demo: boolean) =>
      connected({ merchants: [{ demo, capabilities: { debitCardsOnly: true } }] }).perform(sale);
    assert.deepEqual([(await credit(false)).finStatus, (await credit(true)).finStatus], ['DECLINED', 'AUTHORISED']);
  },
});

export const DECLINES = chapter('Gateway and acquirer declines', {
  'Invalid Merchant: arc 1000': async () => {
    const { arc, statusMessage } = await connected().perform({ ...sale, merchantAuth: [{ externalId: 'NOBODY' }] });
    assert.deepEqual([arc, statusMessage], ['1000', 'Invalid Merchant']);
  },
  'connection error to the authorisation provider: FAILED': async () => {
    const { finStatus, statusMessage } = await connected().perform({ ...sale, amount: '3768' });
    assert.equal(finStatus, 'FAILED');
    assert.match(statusMessage ?? '', /Connection error to authorisation provider/);
  },
  'processing error: FAILED': async () => {
    assert.match((await connected().perform({ ...sale, amount: '3741' })).statusMessage ?? '', /Processing error/);
  },
  'read card error: FAILED': async () => {
    const world = connected({ cardholder: { card: { entry: 'MAG_STRIPE', unreadable: true } } });
    const { finStatus, statusMessage } = await world.perform(sale);
    assert.deepEqual([finStatus, statusMessage], ['FAILED', 'Read card error']);
  },
  'an acquirer’s message is passed through': async () => {
    assert.match((await connected().perform({ ...sale, amount: '3784' })).errorMessage ?? '', /issuer \(05\)/);
  },
});
