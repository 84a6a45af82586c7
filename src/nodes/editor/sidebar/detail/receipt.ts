import type { Receipts } from '../../../runtime/receipts/recent-receipts.js';
import { element } from '../../dom.js';
import { text } from '../../words.js';

/** Receipts are untrusted HTML, so a sandboxed frame shows them, without scripts and without access to this page. */

/** The frame loads nothing from outside of the receipt. */
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

/** A link that the user has to click. An address that is not http or https stays text. */
function link(address: string, title: string): HTMLElement {
  if (!/^https?:\/\//.test(address)) return element('span', {}, address);
  return element('a', { href: address, target: '_blank', rel: 'noopener noreferrer', title }, address);
}
