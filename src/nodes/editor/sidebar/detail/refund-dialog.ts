import type { Detail, Refundable, RefundWay } from '../../../admin/contract.js';
import { newKey } from '../../admin-client.js';
import { element } from '../../dom.js';
import { text } from '../../words.js';
import { ask } from './question.js';

/** Asks how much to give back, and how. */

export interface RefundOrder {
  /** Of this dialog. */
  key: string;
  /** Major units. */
  amount: string;
  way: RefundWay;
}

/** @param of names the payment, so that two of the same amount are not confused */
export function askRefund(
  { summary, refundable }: Detail & { refundable: Refundable },
  of: string,
  run: (order: RefundOrder) => void,
  back: () => void,
): void {
  const { left, currency, ways } = refundable;
  const key = newKey();
  const amount = element('input', { type: 'text', inputmode: 'decimal', required: '', pattern: '\\d+([.,]\\d+)?' });
  amount.value = left;
  const way = element('select');
  for (const name of ways) {
    way.append(element('option', { value: name }, text(`sidebar.refundWay.${name}`, { terminal: summary.terminal })));
  }
  const adjust = (): void => {
    amount.readOnly = way.value === 'gateway-whole';
    if (amount.readOnly) amount.value = left;
  };
  way.addEventListener('change', adjust);
  adjust();
  ask(
    {
      question: text('sidebar.refundQuestion', { payment: of }),
      fields: [
        labelled(text('sidebar.refundAmount', { left, currency }), amount),
        labelled(text('sidebar.refundHow'), way),
      ],
      yes: text('sidebar.refundNow'),
      no: text('sidebar.keep'),
    },
    () => run({ key, amount: amount.value.replace(',', '.'), way: way.value as RefundWay }),
    back,
  );
}

function labelled(label: string, field: HTMLElement): HTMLElement {
  return element('label', {}, element('span', {}, label), field);
}
