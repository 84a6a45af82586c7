import assert from 'node:assert/strict';
import type { TransactionResult } from '../../src/core/api/schema/transaction-result.js';
import { type Connected, connected, type TerminalOrder } from '../harness/connected.js';
import { chapter, refused } from './row.js';

/** The 18 operations of `POST /transactions`, each by the client on a terminal, its effect read from the ledger. */

const money = { amount: '1000', currency: 'EUR' } as const;

/** How one ended, and what the bank's ledger has moved and holds since, minor units. */
async function ends(
  world: Connected,
  order: TerminalOrder,
  type: string,
  finStatus: string,
  [moved, held]: [moved: number, held: number],
): Promise<TransactionResult> {
  const { bank } = world.simulator;
  const before = [bank.netMoved(), bank.netHeld()] as const;
  const result = await world.perform(order);
  assert.deepEqual([result.type, result.finStatus], [type, finStatus]);
  assert.deepEqual([bank.netMoved() - before[0], bank.netHeld() - before[1]], [moved, held]);
  return result;
}

export const OPERATIONS = chapter('Operations', {
  'sale: a card-present sale': async () => {
    await ends(connected(), { operation: 'sale', ...money }, 'SALE', 'AUTHORISED', [1000, 0]);
  },
  'refund: linked to a sale': async () => {
    const world = connected();
    const { transactionID: originalTransactionId } = await world.sold('1000');
    await ends(world, { operation: 'refund', ...money, originalTransactionId }, 'REFUND', 'AUTHORISED', [-1000, 0]);
  },
  'refund: unlinked': async () => {
    await ends(connected(), { operation: 'refund', ...money }, 'REFUND', 'AUTHORISED', [-1000, 0]);
  },
  'refundReversal: takes a refund back': async () => {
    const world = connected();
    const { transactionID = '' } = await world.perform({ operation: 'refund', ...money });
    const order = { operation: 'refundReversal', ...money, originalTransactionId: transactionID } as const;
    await ends(world, order, 'REVERSAL', 'AUTHORISED', [1000, 0]);
  },
  'saleReversal: takes a sale back, on the terminal': async () => {
    const world = connected();
    const { transactionID: originalTransactionId } = await world.sold('1000');
    const order = { operation: 'saleReversal', ...money, originalTransactionId } as const;
    await ends(world, order, 'REVERSAL', 'AUTHORISED', [-1000, 0]);
  },
  'saleAndTokenizeCard: a sale and a card token': async () => {
    const order = { operation: 'saleAndTokenizeCard', ...money } as const;
    const result = await ends(connected(), order, 'SALE_AND_TOKENIZE_CARD', 'AUTHORISED', [1000, 0]);
    assert.notEqual(result.cardToken, '');
  },
  'tokenizeCard: a card token without a charge, PROCESSED': async () => {
    const result = await ends(connected(), { operation: 'tokenizeCard' }, 'TOKENIZE_CARD', 'PROCESSED', [0, 0]);
    assert.notEqual(result.cardToken, '');
  },
  'printReceipt: prints on the terminal': async () => {
    const order = { operation: 'printReceipt', receipt: '<p>Thank you</p>' } as const;
    await ends(connected(), order, 'UNDEFINED', 'PROCESSED', [0, 0]);
  },
  'cardPan: the whole number of a loyalty card': async () => {
    const result = await ends(connected(), { operation: 'cardPan' }, 'CARD_PAN', 'PROCESSED', [0, 0]);
    assert.match(result.unMaskedPan ?? '', /^\d{16}$/);
  },
  'pingDevice: whether the terminal is there': async () => {
    await ends(connected(), { operation: 'pingDevice' }, 'UNDEFINED', 'PROCESSED', [0, 0]);
  },
  'stopCurrentTransaction: cancels what waits for the card': async () => {
    const world = connected({ cardholder: 'none' });
    const where = { serial_number: '10000001', terminal_type: 'SIMULATEDT1' } as const;
    const sale = await world.client.transactions.start({ operation: 'sale', ...where, ...money });
    await ends(world, { operation: 'stopCurrentTransaction' }, 'UNDEFINED', 'PROCESSED', [0, 0]);
    const polled = await world.client.transactions.result(sale.transactionResultId ?? '');
    assert.equal(polled.state === 'result' && polled.result.finStatus, 'CANCELLED');
  },
  'moToSale: a card number keyed in on the terminal': async () => {
    const result = await ends(connected(), { operation: 'moToSale', ...money }, 'MOTO_SALE', 'AUTHORISED', [1000, 0]);
    assert.deepEqual([result.cardEntryType, result.paymentScenario, result.tenderType], ['CNP', 'MOTO', 'NOT_SET']);
  },
  'moToRefund: keyed in on the terminal': async () => {
    await ends(connected(), { operation: 'moToRefund', ...money }, 'MOTO_REFUND', 'AUTHORISED', [-1000, 0]);
  },
  'moToReversal: takes a keyed sale back': async () => {
    const world = connected();
    const { transactionID = '' } = await world.perform({ operation: 'moToSale', ...money });
    const order = { operation: 'moToReversal', ...money, originalTransactionId: transactionID } as const;
    await ends(world, order, 'MOTO_REVERSAL', 'AUTHORISED', [-1000, 0]);
  },
  'moToPreAuthorization: a hold on a keyed card': async () => {
    const order = { operation: 'moToPreAuthorization', ...money } as const;
    await ends(connected(), order, 'PRE_AUTHORIZATION', 'AUTHORISED', [0, 1000]);
  },
  'preAuthorization: a hold': async () => {
    const order = { operation: 'preAuthorization', ...money } as const;
    await ends(connected(), order, 'PRE_AUTHORIZATION', 'AUTHORISED', [0, 1000]);
  },
  'preAuthorizationIncrease: more held, less with a negative amount': async () => {
    const world = connected();
    const { transactionID: originalTransactionId } = await world.held('5000');
    const more = { operation: 'preAuthorizationIncrease', ...money, originalTransactionId } as const;
    await ends(world, more, 'PRE_AUTHORIZATION_INCREASE', 'AUTHORISED', [0, 1000]);
    await ends(world, { ...more, amount: '-500' }, 'PRE_AUTHORIZATION_INCREASE', 'AUTHORISED', [0, -500]);
  },
  'preAuthorizationCapture: takes what is held': async () => {
    const world = connected();
    const { transactionID: originalTransactionId } = await world.held('5000');
    const order = { operation: 'preAuthorizationCapture', ...money, originalTransactionId } as const;
    await ends(world, order, 'PRE_AUTHORIZATION_CAPTURE', 'AUTHORISED', [1000, -5000]);
  },
  'preAuthorizationReversal: releases an uncaptured hold': async () => {
    const world = connected();
    const { transactionID: originalTransactionId } = await world.held('5000');
    const order = { operation: 'preAuthorizationReversal', originalTransactionId } as const;
    await ends(world, order, 'PRE_AUTHORIZATION_REVERSAL', 'AUTHORISED', [0, -5000]);
  },
  'preAuthorizationReversal: cancels a capture before settlement': async () => {
    const world = connected();
    const { transactionID: originalTransactionId } = await world.held('5000');
    await world.perform({ operation: 'preAuthorizationCapture', ...money, originalTransactionId });
    const order = { operation: 'preAuthorizationReversal', originalTransactionId } as const;
    await ends(world, order, 'PRE_AUTHORIZATION_REVERSAL', 'AUTHORISED', [-1000, 0]);
  },
});

const DEVICE = { serialNumber: '10000001', deviceType: 'SIMULATEDT1', batchNumber: '123' };
const EUR = 'EUR';

/** Method and path of the latest request that left the client. */
function latest({ sent, simulator }: Connected): string {
  const { method, url } = sent.at(-1) ?? { method: '', url: '' };
  return `${method} ${url.replace(simulator.statusUrl, '{status_url}').replace(simulator.baseUrl, '')}`;
}

/** An endpoint: what asks it, and what the path looks like then. */
function endpoint(path: string, ask: (world: Connected) => Promise<unknown>): () => Promise<void> {
  const pattern = new RegExp(`^${path.replace(/[{}/]/g, '\\$&').replace(/<\w+>/g, '[\\w-]+')}$`);
  return async () => {
    const world = connected();
    await ask(world);
    assert.match(latest(world), pattern);
  };
}

async function moto(world: Connected): Promise<string> {
  const cardToken = await world.stored();
  return (await world.client.moto.sale({ amount: '5.00', currency: EUR, cardToken })).guid ?? '';
}

const ASKS: Record<string, (world: Connected) => Promise<unknown>> = {
  'GET /devices': ({ client }) => client.devices.list(),
  'POST /transactions': async (world) => {
    const where = { serial_number: '10000001', terminal_type: 'SIMULATEDT1' } as const;
    await world.client.transactions.start({ operation: 'sale', ...where, ...money });
  },
  'GET /transaction-result/<transactionResultId>': ({ sold }) => sold(),
  'POST /transactions/<transactionID>/tip-adjustment': async ({ client, sold }) =>
    client.tip.adjust({ transactionID: (await sold()).transactionID, amount: '1.00', currency: EUR }),
  'POST /reversal': async ({ client, sold }) => client.reversal.reverse({ originalGuid: (await sold()).transactionID }),
  'POST /moto/sale': moto,
  'POST /moto/refund': async (world) =>
    world.client.moto.refund({ amount: '5.00', currency: EUR, originalGuid: await moto(world) }),
  'POST /moto/reversal': async (world) =>
    world.client.moto.reversal({ amount: '5.00', currency: EUR, originalGuid: await moto(world) }),
  'POST /preauthorization/capture': async ({ client, held }) =>
    client.preauthorization.capture({ originalGuid: (await held()).transactionID, capturedAmount: '1.00' }),
  'POST /preauthorization/increase': async ({ client, held }) =>
    client.preauthorization.increase({ originalGuid: (await held()).transactionID, increaseAmount: '1.00' }),
  'GET /transactions/<transactionID>/token': async ({ client, sold }) =>
    client.token.fetch((await sold()).transactionID),
  'POST /batch/close': async ({ client, sold }) => {
    await sold();
    await client.batch.close(DEVICE);
  },
  'POST /batch/summary': async ({ client, sold }) => {
    await sold();
    await client.batch.summary(DEVICE);
  },
  'POST /batch/detail': async ({ client, sold }) => {
    await sold();
    await client.batch.detail(DEVICE);
  },
  'GET {status_url}/transactions/<transactionReference>/status/first': async ({ client, sold }) =>
    client.status.get((await sold()).reference),
};

const COMMANDS = {
  'set-unattended-mode': { status: true },
  'set-locale': { locale: 'fr_CA' },
  reboot: { force: true },
  'set-password-protected': { status: false },
  'set-screen-brightness': { minimumBrightnessLevel: 0, maximumBrightnessLevel: 100 },
  'set-reboot-time': { hour: 23 },
  'set-security-policy': { hideTabBar: true },
} as const;

const TERMINAL = { serial_number: '10000001', terminal_type: 'SIMULATEDT1' };

export const ENDPOINTS = chapter('Endpoints', {
  ...Object.fromEntries(Object.entries(ASKS).map(([path, ask]) => [path, endpoint(path, ask)])),
  ...Object.fromEntries(
    Object.entries(COMMANDS).map(([command, settings]) => [
      `POST /devices/{deviceType}/{serialNumber}/${command}`,
      async () => {
        const world = connected();
        await world.client.commands.run(TERMINAL, command as 'reboot', settings as { force: boolean });
        assert.equal(latest(world), `POST /devices/SIMULATEDT1/10000001/${command}`);
        assert.deepEqual(world.lastBody(), settings);
        if (command !== 'reboot') assert.deepEqual(world.terminal.settings.get(command), settings);
      },
    ]),
  ),
  'device commands: 400 for a value out of range, 422 for a wrong body, 404 for a command that is none': async () => {
    const { post } = connected();
    const status = async (command: string, body: object): Promise<number> =>
      (await post(`/devices/SIMULATEDT1/10000001/${command}`, body)).status;
    assert.equal(await status('set-reboot-time', { hour: 24 }), 400);
    assert.equal(await status('set-unattended-mode', { status: 'on' }), 422);
    assert.equal(await status('make-coffee', {}), 404);
  },
  'device commands: 1002 where the terminal is offline, 1004 where it is not the key’s': async () => {
    const world = connected();
    world.terminal.goOffline();
    const reboot = (serial_number: string): Promise<void> =>
      world.client.commands.run({ ...TERMINAL, serial_number }, 'reboot', { force: true });
    await refused(reboot('10000001'), '1002');
    await refused(reboot('9'), '1004');
  },
});
