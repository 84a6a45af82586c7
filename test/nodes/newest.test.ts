import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OperationRecord } from '../../src/core/journal/record.js';
import { newestOf } from '../../src/nodes/admin/operations/newest.js';
import { sampleRecord } from '../core/journal/sample-record.js';

interface Asked {
  recent(limit: number, until?: number): Promise<OperationRecord[]>;
  read: number;
}

function environment(times: number[]): Asked {
  const records = times.map((createdAt) => sampleRecord({ createdAt })).sort((a, b) => b.createdAt - a.createdAt);
  return {
    read: 0,
    async recent(limit, until = Number.POSITIVE_INFINITY) {
      const found = records.filter(({ createdAt }) => createdAt <= until).slice(0, limit);
      this.read += found.length;
      return found;
    },
  };
}

const times = async (sources: Asked[], limit: number, until?: number): Promise<number[]> =>
  (await newestOf(sources, limit, until)).map(({ createdAt }) => createdAt);

describe('the newest operations of several environments', () => {
  it('are those that are newest of all, whichever environment has them', async () => {
    const busy = environment(Array.from({ length: 50 }, (_, at) => 1_000 + at));
    const quiet = [environment([3, 1]), environment([1_020]), environment([])];
    const expected = [...Array.from({ length: 50 }, (_, at) => 1_000 + at), 3, 1, 1_020].sort((a, b) => b - a);
    for (const limit of [1, 4, 10, 52, 53, 100])
      assert.deepEqual(await times([busy, ...quiet], limit), expected.slice(0, limit), `limit ${limit}`);
    assert.deepEqual(await times([busy, ...quiet], 4, 1_002), [1_002, 1_001, 1_000, 3]);
    assert.deepEqual(await times([], 4), []);
  });

  it('take little more reading than there are, with ten environments', async () => {
    const ten = Array.from({ length: 10 }, (_, place) =>
      environment(Array.from({ length: 900 }, (_, at) => at * 10 + place)),
    );
    await newestOf(ten, 200);
    assert.ok(ten.reduce((sum, { read }) => sum + read, 0) <= 400);
  });
});
