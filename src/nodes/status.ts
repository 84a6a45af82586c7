import type { NodeAPI } from 'node-red';
import type { TransactionResult } from '../core/api/schema/transaction-result.js';
import { InputError } from '../core/base/errors.js';
import { toMajorString } from '../core/base/money.js';
import { withoutCardNumbers } from '../core/base/privacy/redact.js';
import { shownNet } from '../core/lifecycle/chain/shown-net.js';
import { type Answer, registerAction } from './action/action-node.js';
import type { NetAmount, StatusAnswer } from './action/answers.js';
import type { ActionContext } from './input/context.js';
import { reading, textOf, wordOf } from './input/field-values.js';
import { loadCore } from './runtime/load.js';
import form from './status.form.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

function submit(context: ActionContext): Promise<Answer> {
  switch (wordOf(context.values, 'operation')) {
    case 'net':
      return queryNet(context);
    case 'journal':
      return queryJournal(context);
    default:
      return queryStatus(context);
  }
}

async function queryStatus(context: ActionContext): Promise<Answer> {
  const reference = referenceIn(context);
  const selector = textOf(reading(context.values, 'selector')) ?? 'first';
  if (selector === 'all') return found(reference, await chainOf(context, reference));
  if (selector !== 'first' && selector !== 'last' && !/^[1-9]\d*$/.test(selector)) {
    throw new InputError(
      reading(context.values, 'selector').source,
      'first, last, all, or a position counted from 1',
      selector,
    );
  }
  const { retried, systemClock } = loadCore();
  const { client } = await context.environment.engine();
  const place = selector === 'first' || selector === 'last' ? selector : Number(selector);
  const result = await retried(systemClock, context.signal, () =>
    client.status.get(reference, place, { signal: context.signal }),
  );
  return found(reference, result === 'no-record' ? [] : [result]);
}

/** The net amount of a chain: what was approved, less what was refunded and reversed; absent where the chain does not show how much that is. */
async function queryNet(context: ActionContext): Promise<Answer> {
  const reference = referenceIn(context);
  const chain = await chainOf(context, reference);
  const net = shownNet(chain, reference);
  if (net === undefined) return found(reference, chain);
  const { currency, minor } = net;
  return found(reference, chain, { currency, total: toMajorString(minor, currency), minor: { total: minor } });
}

async function queryJournal({ values, environment }: ActionContext): Promise<Answer> {
  const { value, source } = reading(values, 'reference');
  const id = textOf({ value, source }) ?? '';
  const engine = await environment.engine();
  const queries = [{ operationId: id }, { reference: id }, { transactionId: id }, { resultId: id }, { terminal: id }];
  for (const query of queries) {
    const operations = await engine.find(query);
    if (operations.length > 0) {
      return { exit: 'done', payload: { operation: 'journal', outcome: 'completed', moneyMoved: 'no', operations } };
    }
  }
  return {
    exit: 'not-done',
    payload: { operation: 'journal', outcome: 'not-found', moneyMoved: 'no', operations: [] },
  };
}

async function chainOf({ environment, signal }: ActionContext, reference: string): Promise<TransactionResult[]> {
  const { retried, systemClock } = loadCore();
  const { client } = await environment.engine();
  return retried(systemClock, signal, () => client.status.all(reference, { signal }));
}

function found(reference: string, results: TransactionResult[], net?: NetAmount): Answer {
  const isFound = results.length > 0;
  const payload: StatusAnswer = {
    operation: 'status',
    outcome: isFound ? 'completed' : 'not-found',
    moneyMoved: 'no',
    reference,
    results: results.map(({ raw }) => withoutCardNumbers(raw)),
    ...(net === undefined ? {} : { amount: net }),
  };
  return { exit: isFound ? 'done' : 'not-done', payload };
}

function referenceIn({ values }: ActionContext): string {
  const field = reading(values, 'reference');
  const reference = textOf(field);
  if (reference === undefined) throw new InputError(field.source, 'a transactionReference', undefined);
  return reference;
}
