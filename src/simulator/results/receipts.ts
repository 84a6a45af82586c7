import { timestamp } from '../model/timestamp.js';
import { toMajor } from '../model/units.js';
import type { Variants } from '../model/variants.js';
import type { ResultFacts } from './result-facts.js';

export type Copy = 'merchant' | 'customer';

const NAMES = {
  type: 'Type',
  date: 'Date',
  card: 'Card',
  entry: 'Entry',
  total: 'Total',
  tip: 'Tip',
  result: 'Result',
  approval: 'Approval',
  reference: 'Reference',
} as const;

export interface ReceiptLine {
  name: keyof typeof NAMES;
  value: string;
}

/** A receipt in the format that the variant selects. */
export function receipt(facts: ResultFacts, copy: Copy, { receipts }: Variants, publicUrl: string): string {
  if (!isPrintable(facts) || receipts === 'none') return '';
  return receipts === 'url' ? `${publicUrl}/receipts/${facts.transactionId}/${copy}` : receiptHtml(facts, copy);
}

/** Only a result that reached the gateway has a receipt. */
export function isPrintable({ transactionId, finStatus, card }: ResultFacts): boolean {
  return transactionId !== '' && finStatus !== 'UNDEFINED' && card !== undefined;
}

export function receiptLines({ amounts, currency, card, ...facts }: ResultFacts): ReceiptLine[] {
  const lines: ReceiptLine[] = [
    { name: 'type', value: facts.type.replaceAll('_', ' ') },
    { name: 'date', value: timestamp(facts.at) },
    { name: 'card', value: card === undefined ? '' : `${card.scheme} ${card.masked}` },
    { name: 'entry', value: card?.entry ?? '' },
    { name: 'total', value: `${currency} ${toMajor(amounts.total, currency)}` },
    { name: 'tip', value: amounts.tip === 0 ? '' : `${currency} ${toMajor(amounts.tip, currency)}` },
    { name: 'result', value: facts.finStatus },
    { name: 'approval', value: facts.approvalCode },
    { name: 'reference', value: facts.transactionId },
  ];
  return lines.filter(({ name, value }) => name !== 'tip' || value !== '');
}

export function receiptHtml(facts: ResultFacts, copy: Copy): string {
  const rows = receiptLines(facts).map(
    ({ name, value }) => `<tr><td>${NAMES[name]}</td><td>${escapeHtml(value)}</td></tr>`,
  );
  const { name } = facts.merchant;
  return `<html><body><h3>${escapeHtml(name)}</h3><table>${rows.join('')}</table><p>${copy} copy</p></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
