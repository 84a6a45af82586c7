import type { Browser, Page } from 'playwright-core';

export interface Editor {
  page: Page;
  /** What the console said is wrong, and what was thrown. */
  errors: string[];
}

/** The part of the editor's global that tests use inside the page. */
export interface EditorGlobal {
  nodes: {
    node(id: string): EditorNode | null;
    eachNode(visit: (node: EditorNode) => void): void;
    eachConfig(visit: (node: EditorNode) => void): void;
    getNodeHelp(type: string): string;
    getType(type: string): { color: string } | undefined;
  };
  editor: { edit(node: EditorNode): void; editConfig(name: string, type: string, id: string): void };
}

export interface EditorNode {
  id: string;
  type: string;
  valid: boolean;
  outputs: number;
  validationErrors: string[];
  _def: { outputLabels?: (this: EditorNode, index: number) => string };
}

export interface Look {
  language?: string;
  theme?: 'light' | 'dark';
  /** Of the window, px. */
  viewport?: { width: number; height: number };
}

/** Opens Node-RED's editor; resolves once the node with this id is on its canvas. */
export async function openEditor(browser: Browser, url: string, node: string, look: Look = {}): Promise<Editor> {
  const page = await browser.newPage({ viewport: look.viewport ?? { width: 1400, height: 1000 } });
  await page.addInitScript(
    ({ language, theme }) => {
      interface Frame {
        origin: string;
        localStorage: { setItem(key: string, value: string): void };
      }
      const frame = globalThis as unknown as Frame;
      // A sandboxed frame has neither an origin nor a storage.
      if (frame.origin === 'null') return;
      const { localStorage } = frame;
      if (language !== undefined) localStorage.setItem('editor-language', language);
      if (theme !== undefined) localStorage.setItem('view-dark-theme', theme);
    },
    look as Pick<Look, 'language' | 'theme'>,
  );
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.stack ?? String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto(url);
  // What slides in is painted again and again, and is waited for.
  await page.addStyleTag({
    content: '*, *::before, *::after { transition: none !important; animation: none !important }',
  });
  await page.waitForFunction((id) => {
    const { RED } = globalThis as unknown as { RED?: Partial<EditorGlobal> };
    return Boolean(RED?.nodes?.node?.(id));
  }, node);
  return { page, errors };
}

/** Opens the dialog of a node, or of a config node; resolves once it stands still, and a click meets what it aims at. */
export async function openDialog(page: Page, id: string, configType?: string): Promise<void> {
  await page.evaluate(
    ([node, type]) => {
      const { RED } = globalThis as unknown as { RED: EditorGlobal };
      const found = RED.nodes.node(String(node));
      if (type !== undefined) RED.editor.editConfig('', type, String(node));
      else if (found !== null) RED.editor.edit(found);
    },
    [id, configType],
  );
  await page.locator(configType === undefined ? '#node-dialog-ok' : '#node-config-dialog-ok').waitFor();
  // The editor raises its dialogs as the last thing it does after they have slid in.
  await page.waitForFunction("document.querySelector('#red-ui-editor-stack').style.zIndex === '13'");
}

/** Leaves a dialog by its button `Done`, and waits until it is gone. */
export async function closeDialog(page: Page, kind: 'node' | 'config'): Promise<void> {
  const button = page.locator(kind === 'node' ? '#node-dialog-ok' : '#node-config-dialog-ok');
  await button.click();
  await button.waitFor({ state: 'detached' });
}

/** Deploys as a person does; resolves once the editor has taken note of it, and is out of its own shade. */
export async function deploy(page: Page): Promise<void> {
  const isDeploy = (url: string, method: string): boolean => url.endsWith('/flows') && method === 'POST';
  const sent = page.waitForRequest((request) => isDeploy(request.url(), request.method()));
  const saved = page.waitForResponse((answer) => isDeploy(answer.url(), answer.request().method()));
  const button = page.locator('#red-ui-header-button-deploy');
  await button.click();
  // Node-RED 4 asks before, where a config node has no user; 5 says so afterwards, and what it shows then deploys anew.
  const confirm = page.locator('.red-ui-notification button.primary');
  const first = await Promise.race([sent, confirm.waitFor().then(() => undefined)]);
  if (first === undefined) await confirm.click();
  if (!(await saved).ok()) throw new Error('the flows could not be deployed');
  await page.locator('#red-ui-header-button-deploy.disabled').waitFor();
  await page.locator('#red-ui-editor-shade').waitFor({ state: 'hidden' });
}
