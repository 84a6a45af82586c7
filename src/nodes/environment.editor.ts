import { askEnvironment } from './editor/admin-client.js';
import { connectionTest } from './editor/dialogs/connection-test.js';
import { draftOfDialog, hasKey, isKnownToLackKey } from './editor/dialogs/draft.js';
import { liveNotice } from './editor/dialogs/live-notice.js';
import { virtualTerminalLink } from './editor/dialogs/virtual-terminal-link.js';
import { createForm as createPlainForm } from './editor/form-dialog.js';
import type { EditorNode } from './editor/host.js';

/** The dialog of an environment: the usual one, with a notice for live environments and a test of the connection. */

type PlainForm = ReturnType<typeof createPlainForm>;
type FormNode = Parameters<PlainForm['prepare']>[0];

const NEEDS_KEY: ReadonlySet<string> = new Set(['staging', 'demo', 'live']);
const ADDRESSES: ReadonlySet<string> = new Set(['baseUrl', 'statusUrl', 'callbackUrl']);
/** The editor does not validate credentials, so the validator of this field checks the key too. */
const VALIDATES_KEY = 'baseUrl';

export function createForm(...[groups, prefix, needs]: Parameters<typeof createPlainForm>): PlainForm {
  const form = createPlainForm(groups, prefix, needs);
  const inputOf = (name: string): HTMLInputElement | null => document.querySelector(`#${prefix}-${name}`);
  const fieldOf = (name: string): string => {
    const value = inputOf(name)?.value ?? '';
    return name === 'kind' && form.isVariable('kind') ? `\${${value}}` : value;
  };

  let isEdited = false;

  return {
    ...form,
    prepare(node): void {
      isEdited = true;
      form.prepare(node);
      const config = node as unknown as EditorNode;
      const draft = () => draftOfDialog(config, fieldOf);
      const { notice, update } = liveNotice(config, draft);
      const { row, clear } = connectionTest(config, () => askEnvironment(config.id, 'test', { draft: draft() }));
      // The editor marks the field of a credential only by this validator.
      const { apiKey } = config._def.credentials ?? {};
      if (apiKey !== undefined) apiKey.validate = () => !NEEDS_KEY.has(draft().kind) || hasKey(draft());
      const virtualTerminal = virtualTerminalLink(config);
      const onChange = (): void => {
        const now = draft();
        virtualTerminal.hidden = now.kind !== 'simulator';
        update();
        clear();
      };
      inputOf('kind')?.closest('.form-row')?.after(virtualTerminal, notice);
      form.onChange(['kind', 'baseUrl', 'statusUrl', 'callbackUrl', 'apiKey', 'secondApiKey'], onChange);
      onChange();
      inputOf('name')?.closest('form')?.append(row);
    },
    save(): void {
      isEdited = false;
      form.save();
    },
    /** A live service is reached by https only. */
    validator(name) {
      const validate = form.validator(name);
      if (!ADDRESSES.has(name)) return validate;
      return function (value, options) {
        const result = validate.call(this, value, options);
        // The open dialog marks the key's own field.
        const isMarkedThere = isEdited && inputOf('apiKey') !== null;
        if (result === true && name === VALIDATES_KEY && !isMarkedThere && lacksKey(this)) {
          return this._('error.required', { field: this._('label.apiKey') });
        }
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

function lacksKey({ kind, credentials }: FormNode): boolean {
  return NEEDS_KEY.has(String(kind)) && isKnownToLackKey(credentials);
}
