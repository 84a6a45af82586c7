import { type Chosen, DeviceList } from './editor/dialogs/device-list.js';
import { createForm as createPlainForm } from './editor/form-dialog.js';
import type { EditorNode } from './editor/host.js';

/** The dialog of a terminal: as every other, and the environment's terminals to choose from. */

type PlainForm = ReturnType<typeof createPlainForm>;

export function createForm(...[groups, prefix, needs]: Parameters<typeof createPlainForm>): PlainForm {
  const form = createPlainForm(groups, prefix, needs);
  const held = (name: string): string => form.value(name);
  const chosen = (): Chosen => ({ serialNumber: held('serialNumber'), terminalType: held('terminalType') });

  return {
    ...form,
    prepare(node): void {
      form.prepare(node);
      const list = new DeviceList(
        node as unknown as EditorNode,
        () => held('environment'),
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
