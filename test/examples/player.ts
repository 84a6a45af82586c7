import { join } from 'node:path';
import { openBrowser } from '../harness/browser.js';
import { DASHBOARD, ROOT, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import type { Step } from './plays.js';

export interface FlowNode {
  id: string;
  type: string;
  name?: string;
  [property: string]: unknown;
}

/** What reached a debug node, by its name. */
export interface Heard {
  heard: string;
  payload: Record<string, unknown>;
  error?: string;
}

export interface Entry {
  kind: string;
  /** Minor units from the cardholder to the merchant. */
  moved: number;
  held: number;
}

export interface NodeSet {
  module: string;
  types: string[];
  err?: string;
}

const PATIENCE_MS = 30_000;
const PACKAGE = '@cloud-terminal/node-red-payments';

/**
 * A Node-RED that plays the package's examples, as a person would: imports one, deploys it, clicks its injects.
 * @param installed a user folder that the package is installed in; without one it is this project's own
 */
export async function startPlayer(installed?: string) {
  const nodesDir = [join(__dirname, 'window'), DASHBOARD, ...(installed === undefined ? [ROOT] : [])];
  const root = installed === undefined ? ROOT : join(installed, 'node_modules', PACKAGE);
  const nodeRed = await startNodeRed({
    flows: [],
    settings: { nodesDir },
    env: { PACKAGE_ROOT: root },
    ...(installed === undefined ? {} : { userDir: installed }),
  });
  const heard: Heard[] = [];
  nodeRed.process.on('message', (message: object) => {
    if ('heard' in message) heard.push(message as Heard);
  });
  const call = (path: string, init?: RequestInit): Promise<Response> => asked(nodeRed, path, init);

  const deploy = async (flows: FlowNode[], kind: 'full' | 'reload'): Promise<void> => {
    const started = answered(nodeRed, 'started');
    await call('/flows', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'node-red-deployment-type': kind },
      body: JSON.stringify(flows),
    });
    await started;
  };

  return {
    /** The package's sets of nodes, as the palette manager lists them. */
    async sets(): Promise<NodeSet[]> {
      const all = (await (await call('/nodes', { headers: { accept: 'application/json' } })).json()) as NodeSet[];
      return all.filter(({ module }) => module === PACKAGE);
    },
    /** Names of the examples, as the editor's import dialog lists them. */
    async list(): Promise<string[]> {
      const entries = (await (await call(`/library/examples/flows/${PACKAGE}`)).json()) as { fn: string }[];
      return entries.map(({ fn }) => fn);
    },
    async importExample(name: string): Promise<FlowNode[]> {
      return (await (await call(`/library/examples/flows/${PACKAGE}/${name}`)).json()) as FlowNode[];
    },
    /** Forgets what was heard before. */
    async deploy(flows: FlowNode[]): Promise<void> {
      heard.length = 0;
      await deploy(flows, 'full');
    },
    /** As the editor's "Restart Flows". */
    restart: () => deploy([], 'reload'),
    /** What a page of the flow sends. Resolves with the status of the answer. */
    async post(path: string, body: object): Promise<number> {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${nodeRed.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      await answer.arrayBuffer();
      return answer.status;
    },
    /** Presses a button of a page of the flow, and waits for what it says. */
    async visit({ path, button, says }: NonNullable<Step['visit']>): Promise<void> {
      const browser = await openBrowser();
      try {
        const page = await browser.newPage();
        await page.goto(`${nodeRed.url}${path}`);
        await page.getByRole('button', { name: button }).click();
        await page.getByRole('status').filter({ hasText: says }).waitFor();
      } finally {
        await browser.close();
      }
    },
    press: (inject: FlowNode) => call(`/inject/${inject.id}`, { method: 'POST' }),
    /** Takes the oldest message that reached this debug node and was not taken yet. */
    async next(name: string): Promise<Heard> {
      const found = (): number => heard.findIndex((one) => one.heard === name);
      await until(nodeRed, () => found() >= 0).catch(() => {
        throw new Error(`nothing reached "${name}"; elsewhere: ${JSON.stringify(heard)}\n${nodeRed.output()}`);
      });
      return heard.splice(found(), 1)[0] as Heard;
    },
    /** What was heard and not taken. */
    rest: () => heard.map(({ heard: name }) => name),
    /** What the virtual terminal of the example's simulator does, or shows where there is no body. */
    async control<T>({ id }: FlowNode, path: string, body?: object): Promise<T> {
      const headers = { 'content-type': 'application/json' };
      const init = body && { method: 'POST', headers, body: JSON.stringify(body) };
      return (await (await call(`/payment-admin/virtual-terminal/simulators/${id}/${path}`, init)).json()) as T;
    },
    /** The true money of the example's simulator. */
    async ledger({ id, group }: FlowNode): Promise<Entry[]> {
      const answer = answered(nodeRed, 'ledger');
      nodeRed.process.send({ environment: id, group });
      return (await answer) as Entry[];
    },
    stop: () => nodeRed.stop(),
  };
}

export type Player = Awaited<ReturnType<typeof startPlayer>>;

async function asked(nodeRed: RunningNodeRed, path: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(`${nodeRed.url}${path}`, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** The next thing of this name that the window tells. */
async function answered(nodeRed: RunningNodeRed, name: 'started' | 'ledger'): Promise<unknown> {
  const answer: Record<string, unknown> = {};
  const take = (message: object): void => {
    Object.assign(answer, message);
  };
  nodeRed.process.on('message', take);
  await until(nodeRed, () => name in answer);
  nodeRed.process.off('message', take);
  return answer[name];
}

/** Waits, message by message from Node-RED, until something holds. */
function until(nodeRed: RunningNodeRed, holds: () => boolean): Promise<void> {
  if (holds()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      nodeRed.process.off('message', look);
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new Error('nothing came'))), PATIENCE_MS);
    const look = (): void => {
      if (holds()) end(resolve);
    };
    nodeRed.process.on('message', look);
  });
}
