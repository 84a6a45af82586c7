import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Seal } from '../../../../src/core/base/privacy/seal.js';
import { newNonce } from '../../../../src/core/platform/new-nonce.js';

const seal = new Seal('secret', 'tests', newNonce);

test('a sealed text opens for what it was sealed for, and says nothing before', () => {
  const sealed = seal.close('Thank you, Ünal', 'operation-1 customer');
  assert.equal(seal.open(sealed, 'operation-1 customer'), 'Thank you, Ünal');
  assert.doesNotMatch(Buffer.from(sealed.box, 'base64').toString('latin1'), /Thank|nal/);
  assert.equal(seal.open(sealed, 'operation-2 customer'), undefined);
  assert.equal(seal.open(sealed, 'operation-1 merchant'), undefined);
});

test('another secret and another purpose open nothing', () => {
  const sealed = seal.close('text', 'about');
  for (const other of [new Seal('other', 'tests', newNonce), new Seal('secret', 'elsewhere', newNonce)]) {
    assert.equal(other.open(sealed, 'about'), undefined);
    const { key } = other.close('text', 'about');
    assert.equal(other.open({ ...sealed, key }, 'about'), undefined, 'whatever it is labelled as');
  }
});

test('a text with a changed bit does not open, nor does what is no sealed text', () => {
  const sealed = seal.close('text', 'about');
  const bytes = Buffer.from(sealed.box, 'base64');
  for (let place = 0; place < bytes.length; place++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
    assert.equal(seal.open({ ...sealed, box: changed.toString('base64') }, 'about'), undefined);
  }
  for (const box of ['', 'AAAA']) assert.equal(seal.open({ ...sealed, box }, 'about'), undefined);
  assert.equal(seal.open({ ...sealed, nonce: '' }, 'about'), undefined);
});

test('the same text is sealed in another way each time', () => {
  const boxes = Array.from({ length: 100 }, () => seal.close('text', 'about'));
  assert.equal(new Set(boxes.map(({ nonce }) => nonce)).size, 100);
  assert.equal(new Set(boxes.map(({ box }) => box)).size, 100);
});
