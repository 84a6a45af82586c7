import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Capability, GROUPS, isOffered, requireOffer } from '../../../src/core/base/capabilities.js';

/** The table of acquirer groups in the API description. */
const OFFERED: Record<Capability, string> = {
  batch: 'B',
  tipAdjustment: 'BS',
  partialReversal: 'B',
  tokenPayment: 'BE',
  deferredToken: 'B',
  addressCheck: 'B',
  moneyRemittance: 'E',
};

describe('what an acquirer group offers', () => {
  for (const [capability, groups] of Object.entries(OFFERED) as [Capability, string][]) {
    test(`${capability}: ${groups} alone`, () => {
      assert.equal(GROUPS.filter((group) => isOffered(capability, group)).join(''), groups);
    });
  }

  test('lets pass what is offered', () => {
    requireOffer('batch', 'B', { source: 'operation', value: 'close' });
  });

  test('names where it was asked for, what it is, and the group that has it not', () => {
    assert.throws(() => requireOffer('batch', 'E', { source: 'msg.do', value: 'close' }), {
      name: 'InputError',
      code: 'INVALID_INPUT',
      message: 'msg.do: expected no batch operation, which acquirer group E does not support, got "close"',
    });
  });
});
