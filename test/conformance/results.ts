import assert from 'node:assert/strict';
import type { TransactionResult } from '../../src/core/api/schema/transaction-result.js';
import type { CardInput, SimulatorOptions, Variants } from '../../src/simulator/index.js';
import { connected } from '../harness/connected.js';
import { chapter, has } from './row.js';

/** The fields of a TransactionResult as the client reads them, by the groups of the description. */

const sale = { operation: 'sale', amount: '1000', currency: 'EUR' } as const;

async function paid(options: Partial<SimulatorOptions> = {}, amount = '1000'): Promise<TransactionResult> {
  return connected(options).perform({ ...sale, amount });
}

const paidWith = (card: CardInput): Promise<TransactionResult> => paid({ cardholder: { card } });
const paidAs = (variants: Partial<Variants>): Promise<TransactionResult> => paid({ variants });

/** A row about fields that every result has. */
function present(names: string): () => Promise<void> {
  return async () => has((await paid()).raw, names);
}

export const RESULTS = chapter('TransactionResult', {
  'transactionID, efttransactionID: the same UUID': async () => {
    const { transactionID, efttransactionID } = await paid();
    assert.match(transactionID ?? '', /^[\da-f-]{36}$/);
    assert.equal(efttransactionID, transactionID);
  },
  'efttimestamp: epoch ms, also where it is written YYYYMMDDHHmmssSSS': async () => {
    const [number, text] = [await paidAs({ timestamps: 'number' }), await paidAs({ timestamps: 'text' })];
    assert.equal(number.efttimestamp, text.efttimestamp);
    assert.match(String(text.raw.efttimestamp), /^\d{17}$/);
  },
  'originalEFTTransactionID: of refunds, reversals, captures; otherwise empty': async () => {
    const { perform, sold } = connected();
    const { transactionID, result } = await sold();
    assert.equal(result.originalEFTTransactionID, '');
    const refund = await perform({ ...sale, operation: 'refund', originalTransactionId: transactionID });
    assert.equal(refund.originalEFTTransactionID, transactionID);
  },
  'originalEFTTransactionID: of a cancelled partial approval the sale': async () => {
    const { transactionID, ...result } = await paid({ cardholder: { acceptPartial: false } }, '3757');
    assert.deepEqual([result.finStatus, result.originalEFTTransactionID], ['CANCELLED', transactionID]);
  },
  'transactionOrigin: CLOUD': async () => assert.equal((await paid()).transactionOrigin, 'CLOUD'),
  'statusMessage, errorMessage: empty errorMessage on success, filled on DECLINED and FAILED': async () => {
    assert.equal((await paid()).errorMessage, '');
    assert.notEqual((await paid({}, '3779')).errorMessage, '');
    assert.notEqual((await paid({}, '3768')).errorMessage, '');
  },
  'multiLanguageStatusMessages, multiLanguageErrorMessages: locale to message': async () => {
    const { multiLanguageStatusMessages, multiLanguageErrorMessages } = await paid({}, '3779');
    has(multiLanguageStatusMessages, 'en_US');
    has(multiLanguageErrorMessages, 'en_US');
  },
  'recoveredTransaction: false at first': async () => assert.equal((await paid()).recoveredTransaction, false),
  'requestedAmount, totalAmount, tipAmount, dueAmount: the total includes the tip': async () => {
    const { requestedAmount, totalAmount, tipAmount, dueAmount } = await connected().perform({
      ...sale,
      tipConfiguration: { tipPercentages: [10] },
    });
    assert.deepEqual([requestedAmount, totalAmount, tipAmount, dueAmount], [1000, 1100, 100, 0]);
  },
  'totalAmount: on a partial approval the partial amount, the rest due': async () => {
    const { requestedAmount, totalAmount, dueAmount } = await paid({}, '3757');
    assert.deepEqual([requestedAmount, totalAmount, dueAmount], [3757, 1100, 2657]);
  },
  'tipPercentage, taxAmount, surcharge': present('tipPercentage taxAmount surcharge'),
  'taxAmount: null is read as absent': async () => {
    const { raw, ...read } = await paid();
    assert.deepEqual([raw.taxAmount, read.taxAmount], [null, undefined]);
  },
  'surcharge: amount, applied, reason': async () => has((await paid()).surcharge, 'amount applied reason'),
  'currency: ISO 4217': async () => assert.equal((await paid()).currency, 'EUR'),
  'cardEntryType and paymentScenario: chip': async () => {
    const { cardEntryType, paymentScenario } = await paidWith({ entry: 'ICC' });
    assert.deepEqual([cardEntryType, paymentScenario], ['ICC', 'CHIP']);
  },
  'cardEntryType and paymentScenario: contactless chip': async () => {
    const { cardEntryType, paymentScenario } = await paidWith({ entry: 'CONTACTLESS_ICC' });
    assert.deepEqual([cardEntryType, paymentScenario], ['CONTACTLESS_ICC', 'CHIPCONTACTLESS']);
  },
  'cardEntryType and paymentScenario: stripe': async () => {
    const { cardEntryType, paymentScenario } = await paidWith({ entry: 'MAG_STRIPE' });
    assert.deepEqual([cardEntryType, paymentScenario], ['MAG_STRIPE', 'MAGSTRIPE']);
  },
  'cardEntryType and paymentScenario: no card': async () => {
    const { cardEntryType, paymentScenario } = await connected().perform({ ...sale, operation: 'moToSale' });
    assert.deepEqual([cardEntryType, paymentScenario], ['CNP', 'MOTO']);
  },
  'cardEntryType and paymentScenario: UNDEFINED and UNKNOWN where no card was read': async () => {
    const { cardEntryType, paymentScenario } = await connected().perform({ operation: 'pingDevice' });
    assert.deepEqual([cardEntryType, paymentScenario], ['UNDEFINED', 'UNKNOWN']);
  },
  'tenderType: CREDIT, DEBIT, PREPAID': async () => {
    for (const tender of ['CREDIT', 'DEBIT', 'PREPAID'] as const)
      assert.equal((await paidWith({ tender })).tenderType, tender);
  },
  'tenderType: NOT_SET for MOTO and cancelled': async () => {
    assert.equal((await connected().perform({ ...sale, operation: 'moToSale' })).tenderType, 'NOT_SET');
    const { finStatus, tenderType } = await paid({ cardholder: 'none' });
    assert.deepEqual([finStatus, tenderType], ['CANCELLED', 'NOT_SET']);
  },
  'verificationMethod: NOT_REQUIRED, PIN, SIGNATURE, PIN_SIGNATURE, MOBILE_PASS_CODE': async () => {
    for (const verification of ['NOT_REQUIRED', 'PIN', 'SIGNATURE', 'PIN_SIGNATURE', 'MOBILE_PASS_CODE'] as const)
      assert.equal((await paidWith({ verification })).verificationMethod, verification);
  },
  'verificationMethod: FAILED after three wrong PINs': async () => {
    const { verificationMethod } = await paid({ cardholder: { card: { entry: 'ICC' }, pin: 'wrong' } });
    assert.equal(verificationMethod, 'FAILED');
  },
  'cardSchemeName: VISA, MASTERCARD, MAESTRO, AMEX, DISCOVER, JCB, DINERS, UNIONPAY, INTERAC': async () => {
    for (const scheme of [
      'VISA',
      'MASTERCARD',
      'MAESTRO',
      'AMEX',
      'DISCOVER',
      'JCB',
      'DINERS',
      'UNIONPAY',
      'INTERAC',
    ] as const)
      assert.equal((await paidWith({ scheme })).cardSchemeName, scheme);
  },
  'maskedCardNumber, cardTypeId: only the last four digits': async () => {
    const { maskedCardNumber, cardTypeId } = await paidWith({ last4: '4242' });
    assert.deepEqual([maskedCardNumber, cardTypeId], ['************4242', '************4242']);
  },
  expiryDateMMYY: async () => assert.equal((await paidWith({ expiry: '0131' })).expiryDateMMYY, '0131'),
  'cardHolderName, cardLanguagePreference, accountType: may be empty': async () => {
    assert.equal((await paidWith({ holder: 'ANN LEE' })).cardHolderName, 'ANN LEE');
    await present('cardLanguagePreference accountType')();
  },
  'unMaskedPan: empty but for cardPan': async () => assert.equal((await paid()).unMaskedPan, ''),
  'cardToken: empty unless tokenised': async () => assert.equal((await paid()).cardToken, ''),
  'balance: null is read as absent': async () => {
    const { raw, ...read } = await paid();
    assert.deepEqual([raw.balance, read.balance], [null, undefined]);
  },
  'authorisationCode: six characters on approval, empty on decline': async () => {
    assert.match((await paid()).authorisationCode ?? '', /^\w{6}$/);
    assert.equal((await paid({}, '3779')).authorisationCode, '');
  },
  'issuerResponseCode: 00 approved, otherwise the issuer’s': async () => {
    assert.equal((await paid()).issuerResponseCode, '00');
    assert.equal((await paid({}, '3784')).issuerResponseCode, '05');
  },
  'issuerResponseCode: 00 is a placeholder of what never reached the issuer': async () => {
    const result = await connected({ merchants: [{ capabilities: { preAuthAllowed: false } }] }).perform({
      ...sale,
      operation: 'preAuthorization',
    });
    assert.deepEqual([result.finStatus, result.issuerResponseCode], ['DECLINED', '00']);
  },
  rrn: async () => assert.match((await paid()).rrn ?? '', /^\d{12}$/),
  'aid, applicationLabel, tvr, tsi, iad: of a chip, empty for swipe and card-not-present': async () => {
    const emv = ({ aid, applicationLabel, tvr, tsi, iad }: TransactionResult) => [aid, applicationLabel, tvr, tsi, iad];
    assert.ok(emv(await paidWith({ entry: 'ICC' })).every((value) => value !== ''));
    assert.ok(emv(await paidWith({ entry: 'MAG_STRIPE' })).every((value) => value === ''));
  },
  chipTransactionReport: present('chipTransactionReport'),
  'arc: 0000 online approval, 0010 online decline, 1000 gateway error': async () => {
    const arcs = [(await paid()).arc, (await paid({}, '3779')).arc, (await paid({}, '3741')).arc];
    assert.deepEqual(arcs, ['0000', '0010', '1000']);
  },
  'mid, tid, merchantName, merchantAddress': async () => {
    const { mid, tid, merchantName, merchantAddress } = await paid();
    assert.deepEqual([mid, tid, merchantName], ['DEMO', '10000001', 'Demo Merchant']);
    assert.notEqual(merchantAddress, '');
  },
  'customerReference, budgetNumber, customData': present('customerReference budgetNumber customData'),
  'batchNumber: where the acquirer supplies it': async () => {
    assert.equal((await paid({ merchants: [{ group: 'B' }] })).batchNumber, '123');
    assert.equal((await paid({ merchants: [{ group: 'E' }] })).batchNumber, '');
  },
  'metadata, customFields, moneyRemittanceOptions: null where there are none': async () => {
    const { raw } = await paid();
    assert.deepEqual([raw.metadata, raw.customFields, raw.moneyRemittanceOptions], [null, null, null]);
  },
  'customFields: messageReasonCode of a terminal-initiated reversal, in each shape': async () => {
    for (const customFields of ['array', 'entry'] as const) {
      const options = { cardholder: { acceptPartial: false }, variants: { customFields } };
      const { customFields: read } = await paid(options, '3757');
      assert.deepEqual(
        read?.map(({ key, value }) => [key, value]),
        [
          ['messageReasonCode', '4000'],
          ['messageReasonCode', '4354'],
        ],
      );
    }
  },
  'merchantReceipt, customerReceipt: a URL, raw HTML, or empty': async () => {
    const receipts = async (kind: Variants['receipts']) => {
      const { merchantReceipt = '', customerReceipt = '' } = await paidAs({ receipts: kind });
      return [merchantReceipt, customerReceipt];
    };
    for (const receipt of await receipts('url')) assert.match(receipt, /^http/);
    for (const receipt of await receipts('html')) assert.match(receipt, /^</);
    assert.deepEqual(await receipts('none'), ['', '']);
  },
  'signatureUrl: a URL, a base64 image, or empty': async () => {
    const swiped = { card: { entry: 'MAG_STRIPE' } } as const;
    const url = await paid({ cardholder: swiped, variants: { signatures: 'url' } });
    const image = await paid({ cardholder: swiped, variants: { signatures: 'image' } });
    assert.match(url.signatureUrl ?? '', /^http/);
    assert.match(image.signatureUrl ?? '', /^iVBOR/);
    assert.equal((await paid()).signatureUrl, '');
  },
  'deviceStatus: nine texts': async () => {
    const { deviceStatus = {} } = await connected().perform({ operation: 'pingDevice', returnDeviceInfo: true });
    has(
      deviceStatus,
      'applicationName applicationVersion batteryStatus batteryCharging batterymV externalPower bluetoothName serialNumber statusMessage',
    );
    assert.ok(Object.values(deviceStatus).every((value) => typeof value === 'string'));
  },
  'callback and poll: the same body': async () => {
    const world = connected();
    const { result } = await world.sold('1000', { callbackUrl: 'https://till.example/cb', token: 't' });
    assert.deepEqual(world.callbacks[0]?.body, result.raw);
  },
  'status service: holdAmount, increaseAmount, capturedAmount as well, integers': async () => {
    const { client, clock, held } = connected();
    const { reference, transactionID: originalGuid } = await held('5000');
    await client.preauthorization.increase({ originalGuid, increaseAmount: '10.00' });
    await clock.advance(1000);
    const first = await client.status.get(reference);
    assert.ok(first !== 'no-record');
    assert.deepEqual([first.holdAmount, first.increaseAmount, first.capturedAmount], [6000, 1000, 0]);
  },
});
