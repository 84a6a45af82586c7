import type { CheckResult } from '../../admin/contract.js';
import { button, element } from '../dom.js';
import type { EditorNode } from '../host.js';

/** The button "Test connection" in a dialog, and its findings. */

const ICONS: Readonly<Record<CheckResult['state'], string>> = {
  ok: 'fa-check-circle',
  bad: 'fa-times-circle',
  unsure: 'fa-question-circle',
};

/**
 * Returns the row for the dialog, and how to clear the findings once the dialog has changed.
 * @param ask tests what the dialog holds when the button is pressed
 */
export function connectionTest(
  node: EditorNode,
  ask: () => Promise<{ findings: CheckResult[] }>,
): { row: HTMLElement; clear(): void } {
  const findings = element('ul', { class: 'payment-findings', role: 'status', 'aria-live': 'polite' });
  const start = button(
    node._def._('test.button'),
    'fa-plug',
    () => {
      start.disabled = true;
      findings.replaceChildren(element('li', {}, node._def._('test.running')));
      ask()
        .then(
          (answer) => findings.replaceChildren(...answer.findings.map((finding) => line(node, finding))),
          (error: Error) => findings.replaceChildren(element('li', { 'data-state': 'bad' }, error.message)),
        )
        .finally(() => {
          start.disabled = false;
          // The findings are at the end of the dialog, often below the visible part.
          findings.scrollIntoView({ block: 'nearest' });
        });
    },
    '',
  );
  const row = element('div', { class: 'form-row payment-test' }, start, findings);
  return { row, clear: () => findings.replaceChildren() };
}

function line({ _def: { _ } }: EditorNode, { check, state, reason, figure, detail }: CheckResult): HTMLElement {
  const text = element(
    'span',
    {},
    element('b', {}, _(`test.check.${check}`)),
    `: ${_(`test.reason.${reason}`, { figure })}`,
  );
  if (detail !== undefined) text.append(element('small', {}, detail));
  const icon = element('i', { class: `fa ${ICONS[state]}`, role: 'img', 'aria-label': _(`test.state.${state}`) });
  return element('li', { class: 'payment-finding', 'data-state': state }, icon, text);
}
