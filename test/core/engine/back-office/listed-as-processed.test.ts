import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { atOddService, CUT, type Entry, original } from '../../../harness/odd-service.js';

/** PROCESSED says that something was done, whether or not the issuer agreed: that is for its code to say. */

const EUR = { currency: 'EUR', customerReference: 'mark' };

interface FollowUp {
  of: 'sale' | 'preAuthorization';
  order: (originalGuid: string) => BackOfficeOrder;
  entry: Entry;
  done: string;
}

const FOLLOW_UPS: readonly FollowUp[] = [
  {
    of: 'sale',
    order: (originalGuid) => ({ operation: 'moto/refund', body: { originalGuid, amount: '4.00', ...EUR } }),
    entry: { type: 'MOTO_REFUND', totalAmount: 400 },
    done: 'refunded',
  },
  {
    of: 'sale',
    order: (originalGuid) => ({ operation: 'reversal', body: { originalGuid } }),
    entry: { type: 'REVERSAL', totalAmount: 1000, customerReference: '' },
    done: 'refunded',
  },
  {
    of: 'preAuthorization',
    order: (originalGuid) => ({
      operation: 'preauthorization/capture',
      body: { originalGuid, capturedAmount: '8.00', ...EUR },
    }),
    entry: { type: 'PRE_AUTHORIZATION_CAPTURE', totalAmount: 800, capturedAmount: 800 },
    done: 'approved',
  },
  {
    of: 'preAuthorization',
    order: (originalGuid) => ({
      operation: 'preauthorization/increase',
      body: { originalGuid, increaseAmount: '5.00', ...EUR },
    }),
    entry: { type: 'PRE_AUTHORIZATION_INCREASE', totalAmount: 500, increaseAmount: 500 },
    done: 'approved',
  },
];

/** Its request reaches nobody, and the status service lists it with an issuer code all the same. */
async function told({ of, order, entry }: FollowUp, code: string | undefined) {
  let isSent = false;
  const world = atOddService({
    answer: ({ url, method }) => {
      if (method !== 'POST' || !/\/moto\/refund$|\/reversal$|\/preauthorization\//.test(url)) return undefined;
      isSent = true;
      return Promise.resolve(CUT);
    },
    list: (chain) => {
      const [first = {}] = chain;
      const { transactionID: originalEFTTransactionID, transactionReference, currency } = first;
      const about = { originalEFTTransactionID, transactionReference, currency, customerReference: 'mark' };
      const added = { ...about, ...entry, transactionID: 'added', finStatus: 'PROCESSED', issuerResponseCode: code };
      return isSent ? [...chain, added] : chain;
    },
  });
  const originalGuid = await original(world, of);
  const { outcome, moneyMoved, final } = await world.after(world.backOffice(order(originalGuid)));
  return { outcome, moneyMoved, final };
}

for (const followUp of FOLLOW_UPS) {
  const { operation } = followUp.order('');

  test(`a ${operation} that is listed as PROCESSED was done where the issuer agreed`, async () => {
    assert.equal((await told(followUp, '00')).outcome, followUp.done);
  });

  test(`a ${operation} that is listed as PROCESSED was not done where the issuer declined`, async () => {
    assert.deepEqual(await told(followUp, '05'), { outcome: 'not-charged', moneyMoved: 'no', final: true });
  });

  for (const code of [undefined, '']) {
    test(`a ${operation} that is listed as PROCESSED stays a question with the issuer code ${code}`, async () => {
      assert.equal((await told(followUp, code)).outcome, 'unknown');
    });
  }
}
