import { connectionTest } from './dialogs/connection-test.js';
import { draftOfDialog, hasKey } from './dialogs/draft.js';
import { liveNotice } from './dialogs/live-notice.js';
import { virtualTerminalLink } from './dialogs/virtual-terminal-link.js';
import { createForm as createPlainForm } from './shared/editor.js';
import type { EditorNode } from './sidebar/host.js';

/** The dialog of an environment: as every other, and what live needs, and a test of the connection. */

type PlainForm = ReturnType<typeof createPlainForm>;

const NEEDS_KEY: ReadonlySet<string> = new Set(['staging', 'demo', 'live']);
const ADDRESSES: ReadonlySet<string> = new Set(['baseUrl', 'statusUrl', 'callbackUrl']);

export function createForm(...[groups, prefix, needs]: Parameters<typeof createPlainForm>): PlainForm {
  const form = createPlainForm(groups, prefix, needs);
  const inputOf = (name: string): HTMLInputElement | null => document.querySelector(`#${prefix}-${name}`);
  const fieldOf = (name: string): string => {
    const value = inputOf(name)?.value ?? '';
    return name === 'kind' && form.isVariable('kind') ? `\${${value}}` : value;
  };

  return {
    ...form,
    prepare(node): void {
      form.prepare(node);
      const config = node as unknown as EditorNode;
      const draft = () => draftOfDialog(config, fieldOf);
      const { notice, update } = liveNotice(config, draft);
      const { row, clear } = connectionTest(config, draft);
      const virtualTerminal = virtualTerminalLink(config);
      const keep = (): void => {
        const now = draft();
        virtualTerminal.hidden = now.kind !== 'simulator';
        inputOf('apiKey')?.classList.toggle('input-error', NEEDS_KEY.has(now.kind) && !hasKey(now));
        update();
        clear();
      };
      inputOf('kind')?.closest('.form-row')?.after(virtualTerminal, notice);
      form.onChange(['kind', 'baseUrl', 'statusUrl', 'callbackUrl', 'apiKey'], keep);
      keep();
      inputOf('name')?.closest('form')?.append(row);
    },
    /** What is on its way to a live service is always encrypted. */
    validator(name) {
      const validate = form.validator(name);
      if (!ADDRESSES.has(name)) return validate;
      return function (value, options) {
        const result = validate.call(this, value, options);
        const isLive = (inputOf('kind') === null ? this.kind : fieldOf('kind')) === 'live';
        const isPlain = String(value ?? '')
          .trim()
          .startsWith('http://');
        if (result !== true || !isLive || !isPlain) return result;
        return this._('error.live', { field: this._(`label.${name}`) });
      };
    },
  };
}
