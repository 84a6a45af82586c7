import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Annotation, handlingOf, knownMoney } from '../../../src/core/journal/annotation.js';
import type { TerminalRecord } from '../../../src/core/journal/record.js';
import type { Outcome } from '../../../src/core/operation/outcome.js';
import { sampleRecord } from './sample-record.js';

function told(reported: Outcome, changes: Partial<TerminalRecord> = {}): TerminalRecord {
  const record = sampleRecord(changes);
  return { ...record, state: { ...record.state, reported } };
}

function handledAt(record: TerminalRecord): Annotation[] {
  return [{ event: 'handled', at: 1, by: 'ann', note: 'done', known: knownMoney(record) }];
}

test('what a person has dealt with stays so while nothing new is known of the money', () => {
  const said = handledAt(told('unknown'));
  assert.equal(handlingOf(told('unknown'), said), 'handled');
  assert.equal(handlingOf(told('provisional'), said), 'handled');
});

test('a correction that says something else of the money overturns it', () => {
  const said = handledAt(told('unknown'));
  for (const outcome of ['approved', 'not-charged', 'partial'] as const) {
    assert.equal(handlingOf(told(outcome), said), 'overturned', outcome);
  }
  const part = handledAt(told('partial', { result: { totalAmount: 1100 } }));
  assert.equal(handlingOf(told('partial', { result: { totalAmount: 1100 } }), part), 'handled');
  assert.equal(handlingOf(told('partial', { result: { totalAmount: 1200 } }), part), 'overturned');
});

test('a failure that may still become an approval is not known to have moved nothing', () => {
  const said = handledAt(told('failed'));
  assert.equal(handlingOf(told('failed', { closed: true }), said), 'overturned');
});

test('the last word counts', () => {
  const record = told('unknown');
  const withdrawn: Annotation = { event: 'handled-withdrawn', at: 2, by: 'bob', note: '', known: '' };
  assert.equal(handlingOf(record, [...handledAt(record), withdrawn]), undefined);
  assert.equal(handlingOf(record, [withdrawn, ...handledAt(record)]), 'handled');
  assert.equal(handlingOf(record), undefined);
});
