import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeAPI, NodeInitializer } from 'node-red';
import type { ResultPayload } from '../../src/core/delivery/payload.js';
import { newId } from '../../src/core/platform/new-id.js';
import { systemClock } from '../../src/core/platform/system-clock.js';
import { createHttpSend } from '../../src/core/platform/undici-send.js';
import batch from '../../src/nodes/batch.js';
import callbackIn from '../../src/nodes/callback-in.js';
import device from '../../src/nodes/device.js';
import environment from '../../src/nodes/environment.js';
import journal from '../../src/nodes/journal.js';
import moto from '../../src/nodes/moto.js';
import preauth from '../../src/nodes/preauth.js';
import refund from '../../src/nodes/refund.js';
import reversal from '../../src/nodes/reversal.js';
import type { EnvironmentNode } from '../../src/nodes/runtime/config-nodes.js';
import { EnvironmentRuntime } from '../../src/nodes/runtime/environment-runtime.js';
import sale from '../../src/nodes/sale.js';
import status from '../../src/nodes/status.js';
import terminal from '../../src/nodes/terminal.js';
import tip from '../../src/nodes/tip.js';
import token from '../../src/nodes/token.js';
import { serveSimulator } from '../../src/simulator/http.js';
import { Simulator, type SimulatorOptions } from '../../src/simulator/index.js';
import { NODE_RED } from '../harness/node-red.js';

export type Message = Record<string, unknown> & { payload: ResultPayload };

/** A message, and the node that it arrived at. */
export interface Left {
  output: string;
  msg: Message;
}

/** It left an action; not callback-in. */
const isAnswer = ({ output }: Left): boolean => output !== 'results';

/** What of the test helper is used. */
interface Helper {
  init(nodeRed: string): void;
  settings(settings: object): void;
  startServer(): Promise<void>;
  stopServer(): Promise<void>;
  load(nodes: unknown[], flow: object[], credentials: object): Promise<void>;
  unload(): Promise<void>;
  setFlows(flow: object[], type: string, credentials: object): Promise<void>;
  getNode(id: string): TestNode;
}

interface TestNode {
  receive(msg: object): void;
  on(event: 'close', listener: (done: () => void) => void): void;
  on(event: string, listener: (value: Message) => void): void;
  status: Calls<{ text?: string }>;
  error: Calls<unknown>;
  warn: Calls<unknown>;
}

/** Of all nodes, oldest first: with one argument for each call, and the node that called. */
interface Calls<Argument> {
  args: [Argument][];
  thisValues: { id: string }[];
}

const helper: Helper = createRequire(__filename)('node-red-node-test-helper');
helper.init(NODE_RED);

/** A simulator behind a port of this process, quick enough for a test on the real clock. */
export async function startService(options: Partial<SimulatorOptions> = {}) {
  const http = createHttpSend();
  const simulator = new Simulator({
    clock: systemClock,
    newId,
    random: Math.random,
    deliver: http,
    requestsPerSecond: 0,
    cardholder: { tapAfterMs: 5 },
    timings: { toGatewayMs: 5, fromGatewayMs: 5, statusLagMs: 5 },
    ...options,
  });
  const server = await serveSimulator(simulator, { port: 0, host: '127.0.0.1' });
  return {
    simulator,
    bank: simulator.bank,
    baseUrl: server.baseUrl,
    statusUrl: server.statusUrl,
    async stop(): Promise<void> {
      simulator.stop();
      await server.close();
      await http.close();
    },
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;

export interface FlowOptions {
  service: Pick<Service, 'baseUrl' | 'statusUrl'>;
  environment?: object;
  terminal?: object;
  sale?: object;
  credentials?: Record<string, string>;
  /** Of a database for the journal, instead of the folder. */
  database?: string;
  callbackIn?: object;
  /** More nodes on the tab; see {@link action}. */
  more?: object[];
  /** Of the journal, for a flow that starts again. */
  folder?: string;
  /** Of Node-RED. */
  settings?: object;
}

const ACTIONS = [sale, refund, reversal, moto, preauth, tip, token, batch, status, device];

/** An action whose outputs, and Catch, are those of the sale. */
export function action(id: string, type: string, config: object = {}): object {
  const wires = [['done'], ['not-done'], ['needs-attention']];
  return { id, z: 'tab', type, terminal: 'terminal', environment: 'environment', busyWait: 60, ...config, wires };
}

/** A field with a text typed into the form. */
export function typed(name: string, value: string): object {
  return { [name]: value, [`${name}Type`]: 'str' };
}

/** A sale with its three outputs, a catch, and callback-in, in a real runtime. */
export async function startFlow({ service, folder, settings = {}, ...options }: FlowOptions) {
  const journalFolder = folder ?? (await mkdtemp(join(tmpdir(), 'journal-')));
  helper.settings(settings);
  await helper.startServer();
  const captured: { RED?: NodeAPI } = {};
  const capture: NodeInitializer = (RED) => {
    captured.RED = RED;
  };
  // The runtime's own HTTP nodes, and what the editor asks, behind a port.
  const server = createServer((req, res) => {
    const isAdmin = req.url?.startsWith('/payment-admin/') === true;
    (isAdmin ? captured.RED?.httpAdmin : captured.RED?.httpNode)?.(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const flow = flowFor({ service, ...options }, url, journalFolder).map(placed);
  const credentials = {
    environment: { apiKey: 'simulator', ...options.credentials },
    ...(options.database === undefined ? {} : { journal: { address: options.database } }),
  };
  await helper.load([capture, journal, environment, terminal, callbackIn, ...ACTIONS], flow, credentials);

  const messages: Left[] = [];
  const waiting = new Set<() => void>();
  const heard = new WeakSet<TestNode>();
  const hear = (): void => {
    for (const output of ['done', 'not-done', 'needs-attention', 'mistake', 'results']) {
      const node: TestNode | null = helper.getNode(output);
      // One that is disabled, or that a deploy left as it was.
      if (node === null || heard.has(node)) continue;
      heard.add(node);
      node.on('input', (msg) => {
        messages.push({ output, msg });
        for (const look of [...waiting]) look();
      });
    }
  };
  hear();

  const answers = () => messages.filter(isAnswer);
  const send = (msg: object, to = 'sale'): void => helper.getNode(to).receive(msg);
  const nth = (count: number, isWanted: (left: Left) => boolean): Promise<Left> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = messages.filter(isWanted)[count - 1];
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });

  return {
    url,
    folder: journalFolder,
    messages,
    /** What left the actions, by an output or to Catch. */
    answers,
    send,
    /** Waits for the n-th answer, from 1. */
    answer: (count = 1) => nth(count, isAnswer),
    /** Waits for the n-th message of callback-in, from 1. */
    result: (count = 1) => nth(count, (left) => !isAnswer(left)),
    /** Sends a message, and waits for the one that comes of it. */
    run(msg: object, to?: string): Promise<Left> {
      const count = answers().length;
      send(msg, to);
      return nth(count + 1, isAnswer);
    },
    /** The environment's, as it is now. */
    environment(): EnvironmentRuntime {
      const { runtime } = helper.getNode('environment') as unknown as EnvironmentNode;
      if (runtime instanceof EnvironmentRuntime) return runtime;
      throw runtime;
    },
    /** Waits for a status of a node; for this one, where it is named. */
    async status(id: string, wanted?: string): Promise<string | undefined> {
      const node = helper.getNode(id);
      const latest = () => saidBy(id, node.status).at(-1);
      const isThere = (): boolean => latest() !== undefined && (wanted === undefined || latest()?.text === wanted);
      while (!isThere()) await new Promise((resolve) => node.on('call:status', resolve));
      return latest()?.text;
    },
    /** A node that takes a moment to close, as many do: until `ready` resolves. */
    closesAfter(id: string, ready: () => Promise<unknown>): void {
      helper.getNode(id).on('close', (done) => void ready().then(done));
    },
    /** Texts of the statuses of a node, and what it reported as errors and warnings. */
    said(id: string) {
      const { status, error, warn } = helper.getNode(id);
      return {
        statuses: saidBy(id, status).map(({ text }) => text),
        errors: saidBy(id, error).map(String),
        warnings: saidBy(id, warn).map(String),
      };
    },
    /** What nodes reported as errors, those of subflows included. */
    allErrors: () => helper.getNode('environment').error.args.map(([text]) => String(text)),
    /**
     * @param change what becomes of each node; nothing at all takes it away
     * @param type `nodes`: what was not modified stays as it is
     */
    async redeploy(
      change: (node: { id: string }) => object | undefined = (node) => node,
      type: 'full' | 'nodes' = 'full',
    ): Promise<void> {
      const changed = flow.map((node) => change(node as { id: string })).filter((node) => node !== undefined);
      const started = new Promise((resolve) => captured.RED?.events.once('flows:started', resolve));
      const deployed = helper.setFlows(changed, type, credentials).catch((error: Error) => {
        // The helper listens too late where little is modified, and not for long.
        if (error.message !== 'timeout waiting event') throw error;
      });
      await Promise.all([started, deployed]);
      hear();
    },
    /** Deploys a node of a type that nobody has in place of each, as {@link redeploy}: Node-RED starts nothing then. */
    async deployUnknown(ids: readonly string[]): Promise<void> {
      const refused = new Promise<void>((resolve) => {
        captured.RED?.events.on('runtime-event', (event: { payload?: { error?: string } }) => {
          if (event.payload?.error === 'missing-types') resolve();
        });
      });
      const unknown = flow.map((node) => ({
        ...node,
        ...(ids.includes((node as { id: string }).id) ? { type: 'unknown-to-all' } : {}),
      }));
      // The helper waits for a start.
      helper.setFlows(unknown, 'nodes', credentials).catch(() => undefined);
      await refused;
    },
    async stop(): Promise<void> {
      await helper.unload();
      await helper.stopServer();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (folder === undefined) await rm(journalFolder, { recursive: true, force: true });
    },
  };
}

export type Flow = Awaited<ReturnType<typeof startFlow>>;

function flowFor(
  { service, ...options }: Omit<FlowOptions, 'folder' | 'settings'>,
  url: string,
  folder: string,
): object[] {
  return [
    { id: 'tab', type: 'tab', label: 'test' },
    {
      id: 'journal',
      type: 'payment-journal',
      ...(options.database === undefined ? { folder } : { store: 'postgresql' }),
      keepDays: 400,
    },
    {
      id: 'environment',
      type: 'payment-environment',
      kind: 'demo',
      baseUrl: service.baseUrl,
      statusUrl: service.statusUrl,
      group: 'B',
      currency: 'EUR',
      callbackUrl: `${url}/payments`,
      journal: 'journal',
      requestsPerSecond: 1000,
      ...options.environment,
    },
    {
      id: 'terminal',
      type: 'payment-terminal',
      environment: 'environment',
      serialNumber: '10000001',
      terminalType: 'SIMULATEDT1',
      ...options.terminal,
    },
    {
      id: 'sale',
      z: 'tab',
      type: 'payment-sale',
      terminal: 'terminal',
      busyWait: 60,
      wires: [['done'], ['not-done'], ['needs-attention']],
      ...options.sale,
    },
    { id: 'done', z: 'tab', type: 'helper' },
    { id: 'not-done', z: 'tab', type: 'helper' },
    { id: 'needs-attention', z: 'tab', type: 'helper' },
    { id: 'catch', z: 'tab', type: 'catch', scope: null, wires: [['mistake']] },
    { id: 'mistake', z: 'tab', type: 'helper' },
    {
      id: 'callback-in',
      z: 'tab',
      type: 'payment-callback-in',
      environment: 'environment',
      wires: [['results']],
      ...options.callbackIn,
    },
    { id: 'results', z: 'tab', type: 'helper' },
    ...(options.more ?? []),
  ];
}

function saidBy<Argument>(id: string, { args, thisValues }: Calls<Argument>): Argument[] {
  return args.filter((_, call) => thisValues[call]?.id === id).map(([argument]) => argument);
}

/** What has no place on a tab counts as a config node. */
function placed(node: object): object {
  return 'z' in node ? { x: 1, y: 1, ...node } : node;
}
