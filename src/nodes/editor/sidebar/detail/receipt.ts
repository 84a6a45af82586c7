import type { Receipts } from '../../../runtime/recent-receipts.js';
import { element } from '../../dom.js';
import { text } from '../../words.js';

/** Receipts are somebody else's html: they are shown in a frame that runs no script and knows nothing of this page. */

/** Nothing but what the receipt itself brings, whatever it asks for. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

export function receiptViews(receipts: Receipts | undefined): HTMLElement[] {
  if (receipts === undefined) return [element('p', { class: 'payments-note' }, text('sidebar.noReceipt'))];
  return (['customer', 'merchant'] as const).flatMap((copy) => {
    const receipt = receipts[copy];
    if (receipt.kind === 'none') return [];
    const title = text(`sidebar.receipt.${copy}`);
    const view = receipt.kind === 'html' ? frame(receipt.value, title) : link(receipt.value, title);
    return [element('details', { class: 'payments-receipt' }, element('summary', {}, title), view)];
  });
}

function frame(html: string, title: string): HTMLElement {
  const made = element('iframe', { sandbox: '', referrerpolicy: 'no-referrer', title });
  made.srcdoc = `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta charset="utf-8">${html}`;
  return made;
}

/** Opened only when somebody asks for it, and only where it is a web address. */
function link(address: string, title: string): HTMLElement {
  if (!/^https?:\/\//.test(address)) return element('span', {}, address);
  return element('a', { href: address, target: '_blank', rel: 'noopener noreferrer', title }, address);
}
