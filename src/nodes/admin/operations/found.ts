import type { Payments } from '../../../core/engine/payments.js';
import { type OperationRecord, originalIn } from '../../../core/journal/record.js';
import type { EnvironmentRuntime } from '../../runtime/environment-runtime.js';
import { allEnvironments } from '../../runtime/registry.js';
import type { Related } from './summary.js';

/** An operation, and the environment that it belongs to. */
export interface Found {
  environment: EnvironmentRuntime;
  engine: Payments;
  record: OperationRecord;
}

/** The engines that run. Starts none. */
export async function engines(): Promise<{ environment: EnvironmentRuntime; engine: Payments }[]> {
  const all = await Promise.all(
    allEnvironments().map(async (environment) => ({ environment, engine: await environment.engineIfAny() })),
  );
  return all.flatMap(({ environment, engine }) => (engine === undefined ? [] : [{ environment, engine }]));
}

export async function find(operationId: string): Promise<Found | undefined> {
  for (const { environment, engine } of await engines()) {
    const [record] = await engine.find({ operationId }, 1);
    if (record !== undefined) return { environment, engine, record };
  }
  return undefined;
}

export async function related({ engine, record }: Found): Promise<Related> {
  const { transactionId } = record;
  const about = originalIn(record);
  const [original] = about ? await engine.find({ transactionId: about }, 1) : [];
  return { original, followUps: transactionId ? await engine.find({ original: transactionId }) : [] };
}
