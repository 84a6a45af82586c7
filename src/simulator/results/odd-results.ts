import type { FaultKind } from '../infra/faults.js';

/** A terminal's result that does not fit what was asked of it; the gateway's record and the money do. */

type Body = Record<string, unknown>;

/** A version 4 UUID, so that only its being unknown tells it from one that was sent. */
export const OTHER_REFERENCE = '00000000-0000-4000-8000-000000000001';

const IDS = ['transactionID', 'efttransactionID'];
const AMOUNTS = ['requestedAmount', 'totalAmount', 'tipAmount', 'dueAmount'];

export function oddResult(body: Body, kind: FaultKind | undefined): Body {
  const { type, totalAmount, requestedAmount, currency, finStatus } = body;
  switch (kind) {
    case 'result-other-type':
      return { ...body, type: type === 'REFUND' ? 'SALE' : 'REFUND' };
    case 'result-type-undefined':
      return { ...body, type: 'UNDEFINED' };
    case 'result-zero':
      return { ...body, totalAmount: 0 };
    case 'result-negative':
      return { ...body, totalAmount: -Number(totalAmount) };
    case 'result-tenfold':
      return { ...body, requestedAmount: 10 * Number(requestedAmount), totalAmount: 10 * Number(totalAmount) };
    case 'result-other-currency':
      return { ...body, currency: currency === 'USD' ? 'EUR' : 'USD' };
    case 'result-without-amounts':
      return without(body, AMOUNTS);
    case 'result-empty-amounts':
      return withAmounts(body, '');
    case 'result-unreadable-amounts':
      return withAmounts(body, '12,3x');
    case 'result-without-id':
      return without(body, IDS);
    case 'result-other-reference':
      return { ...body, transactionReference: OTHER_REFERENCE };
    case 'result-unreadable-status':
    case 'result-unreadable-unrecorded':
      return { ...body, finStatus: `${String(finStatus)} (1)` };
    default:
      return body;
  }
}

function without(body: Body, names: readonly string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

function withAmounts(body: Body, amount: string): Body {
  return { ...body, ...Object.fromEntries(AMOUNTS.map((name) => [name, amount])) };
}
