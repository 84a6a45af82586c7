import { isSuccess } from '../../../core/operation/outcome.js';
import type { Summary } from '../../admin/contract.js';
import { element } from '../dom.js';
import { type EditorNode, RED } from '../host.js';
import { dateAndTime, money, text, withReason, word } from '../words.js';
import type { Entry } from './entry.js';

/** One operation in the list: what, how much, when, where, and its status. */

export interface OperationRow {
  root: HTMLElement;
  what: HTMLElement;
  amount: HTMLElement;
  when: HTMLElement;
  standing: HTMLElement;
}

/** In px: three lines, as in the style sheet. */
export const ROW_HEIGHT = 67;

export function makeRow(): OperationRow {
  const cell = (name: string): HTMLElement => element('span', { class: `payments-${name}` });
  const row = { what: cell('what'), amount: cell('amount'), when: cell('when'), standing: cell('standing') };
  const root = element('div', { class: 'payments-row' }, row.what, row.amount, row.when, row.standing);
  return { root, ...row };
}

export function fillRow(row: OperationRow, entry: Entry): void {
  row.root.dataset.id = entry.id;
  row.root.dataset.tone = toneOf(entry);
  row.what.textContent = word('operation', entry.operation);
  row.amount.textContent = amountOf(entry);
  row.when.textContent = [dateAndTime(entry.at), entry.terminal].filter(Boolean).join(' · ');
  row.standing.textContent = statusTextOf(entry);
}

/** How much; of a part that was approved also what was asked for. */
export function amountOf({ outcome, amount, requested, currency }: Summary): string {
  if (outcome !== 'partial' || requested === undefined) return money(amount, currency);
  return text('sidebar.part', { part: amount, requested: money(requested, currency) });
}

/** The name of its colour, which shows what became of the money. */
export function toneOf({ standing, outcome, takenBack }: Entry): string {
  if (takenBack !== undefined) return takenBack === 'done' ? 'returned' : 'open';
  if (standing !== 'over') return standing;
  return outcome !== undefined && isSuccess(outcome) ? 'success' : 'failure';
}

/** Its status in words, with the seconds left while the engine still checks it. */
export function statusTextOf(entry: Entry): string {
  const { takenBack, standing, handling, undelivered } = entry;
  if (takenBack !== undefined) return text(`sidebar.takenBack.${takenBack}`);
  if (standing === 'over' && handling === 'handled') return `${standingOf(entry)} · ${text('sidebar.handledMark')}`;
  if (undelivered) return `${standingOf(entry)} · ${text('sidebar.undelivered')}`;
  return standingOf(entry);
}

function standingOf({ stage, outcome, until, reason }: Summary): string {
  if (stage === 'checking' && until !== undefined) {
    const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
    return text('status.checking-left', { figure: seconds });
  }
  if (stage === 'abandoned') return text('sidebar.abandoned');
  if (stage !== undefined) return word('status', stage);
  if (outcome === undefined) return text('sidebar.recorded');
  return withReason(word('status', outcome), reason);
}

/** The text that a search is matched against. */
export function searchTextOf(entry: Entry): string {
  const { id, terminal, amount, currency, operation, outcome = '' } = entry;
  const {
    card,
    approvalCode,
    orderReference,
    reference,
    transactionId,
    original,
    requested = '',
    orderKey = '',
  } = entry;
  const words = [id, terminal, amount, currency, operation, outcome, word('operation', operation)];
  words.push(card, approvalCode, orderReference, orderKey, reference, transactionId, original, requested);
  return [...words, statusTextOf(entry), nameOf(entry.environment), nameOf(entry.node)].join(' ');
}

/** The node that the editor shows for a running one. For a node in a subflow that is the instance, whose id is a prefix. */
export function nodeOf(id: string): EditorNode | undefined {
  const node = RED.nodes.node(id);
  if (node) return node;
  const instance = id.lastIndexOf('-');
  return instance > 0 ? nodeOf(id.slice(0, instance)) : undefined;
}

/** A node's label in the editor; empty where the node is gone. */
export function nameOf(id: string): string {
  const node = nodeOf(id);
  if (node === undefined) return '';
  return node.name || node._def.label?.call(node) || node.type;
}
