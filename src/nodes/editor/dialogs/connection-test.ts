import type { CheckResult } from '../../admin/contract.js';
import { askEnvironment } from '../admin-client.js';
import { button, element } from '../dom.js';
import type { EditorNode } from '../host.js';
import type { Draft } from './draft.js';

/** "Test connection" in the dialog of an environment: what works, what does not, and why. */

const ICONS: Readonly<Record<CheckResult['state'], string>> = {
  ok: 'fa-check-circle',
  bad: 'fa-times-circle',
  unsure: 'fa-question-circle',
};

/** @param draft what the dialog holds when the button is pressed. What was found is of no use once that has changed. */
export function connectionTest(node: EditorNode, draft: () => Draft): { row: HTMLElement; clear(): void } {
  const findings = element('ul', { class: 'payment-findings', role: 'status', 'aria-live': 'polite' });
  const start = button(
    node._def._('test.button'),
    'fa-plug',
    () => {
      start.disabled = true;
      findings.replaceChildren(element('li', {}, node._def._('test.running')));
      askEnvironment<{ findings: CheckResult[] }>(node.id, 'test', { draft: draft() })
        .then(
          (answer) => findings.replaceChildren(...answer.findings.map((finding) => line(node, finding))),
          (error: Error) => findings.replaceChildren(element('li', { 'data-state': 'bad' }, error.message)),
        )
        .finally(() => {
          start.disabled = false;
          // The last of the dialog, and often below what a screen shows of it.
          findings.scrollIntoView({ block: 'nearest' });
        });
    },
    '',
  );
  const row = element('div', { class: 'form-row payment-test' }, start, findings);
  return { row, clear: () => findings.replaceChildren() };
}

function line({ _def: { _ } }: EditorNode, { check, state, reason, figure, detail }: CheckResult): HTMLElement {
  const said = element(
    'span',
    {},
    element('b', {}, _(`test.check.${check}`)),
    `: ${_(`test.reason.${reason}`, { figure })}`,
  );
  if (detail !== undefined) said.append(element('small', {}, detail));
  const icon = element('i', { class: `fa ${ICONS[state]}`, role: 'img', 'aria-label': _(`test.state.${state}`) });
  return element('li', { class: 'payment-finding', 'data-state': state }, icon, said);
}
