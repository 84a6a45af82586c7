import { type Chosen, DeviceList } from './editor/dialogs/device-list.js';
import { createForm as createPlainForm } from './editor/form-dialog.js';
import type { EditorNode } from './editor/host.js';

/** The dialog of a terminal: the usual one, with a list of the environment's terminals to choose from. */

type PlainForm = ReturnType<typeof createPlainForm>;

export function createForm(...[groups, prefix, needs]: Parameters<typeof createPlainForm>): PlainForm {
  const form = createPlainForm(groups, prefix, needs);
  const value = (name: string): string => form.value(name);
  const chosen = (): Chosen => ({ serialNumber: value('serialNumber'), terminalType: value('terminalType') });

  return {
    ...form,
    prepare(node): void {
      form.prepare(node);
      const list = new DeviceList(
        node as unknown as EditorNode,
        () => value('environment'),
        chosen,
        (device) => {
          form.fill('serialNumber', device.serialNumber);
          form.fill('terminalType', device.terminalType);
        },
      );
      document.querySelector(`#${prefix}-terminalType`)?.closest('.form-row')?.after(list.root);
      form.onChange(['environment'], () => void list.load());
      void list.load();
    },
  };
}
