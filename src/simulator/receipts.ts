import type { ResultFacts } from './result.js';
import { timestamp } from './timestamp.js';
import { toMajor } from './units.js';
import type { Variants } from './variants.js';

export type Copy = 'merchant' | 'customer';

/** A receipt in the form the variant asks for. A result that never reached the gateway has none. */
export function receipt(facts: ResultFacts, copy: Copy, { receipts }: Variants, publicUrl: string): string {
  const printable = facts.transactionId !== '' && facts.finStatus !== 'UNDEFINED' && facts.card !== undefined;
  if (!printable || receipts === 'none') return '';
  return receipts === 'url' ? `${publicUrl}/receipts/${facts.transactionId}/${copy}` : receiptHtml(facts, copy);
}

export function receiptHtml(facts: ResultFacts, copy: Copy): string {
  const { merchant, amounts, currency, card, type, finStatus, at } = facts;
  const lines: [string, string][] = [
    ['Type', type.replaceAll('_', ' ')],
    ['Date', timestamp(at)],
    ['Card', card === undefined ? '' : `${card.scheme} ${card.masked}`],
    ['Entry', card?.entry ?? ''],
    ['Total', `${currency} ${toMajor(amounts.total, currency)}`],
    ...(amounts.tip === 0 ? [] : [['Tip', `${currency} ${toMajor(amounts.tip, currency)}`] satisfies [string, string]]),
    ['Result', finStatus],
    ['Approval', facts.approvalCode],
    ['Reference', facts.transactionId],
  ];
  const rows = lines.map(([name, value]) => `<tr><td>${name}</td><td>${escapeHtml(value)}</td></tr>`).join('');
  return `<html><body><h3>${escapeHtml(merchant.name)}</h3><table>${rows}</table><p>${copy} copy</p></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
