import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The project's folder: Node-RED loads the built package from it. */
export const ROOT = join(__dirname, '../..');

/** Dashboard 2, which one of the examples needs: a folder for the setting `nodesDir`. */
export const DASHBOARD = join(ROOT, 'node_modules/@flowfuse/node-red-dashboard');

/** Resolves modules of the Node-RED under test: the project's own, or that of the lane that runs the tests. */
export const laneRequire = createRequire(join(process.env.NODE_RED_LANE ?? ROOT, 'package.json'));

/** What `helper.init` of node-red-node-test-helper takes. */
export const NODE_RED = laneRequire.resolve('node-red');

export interface NodeRedOptions {
  flows?: object[];
  /** By node id. */
  credentials?: Record<string, Record<string, string>>;
  /** More of settings.js; what JSON can hold. */
  settings?: Record<string, unknown> & { editorTheme?: object };
  env?: Record<string, string>;
  /** An existing user folder, for a Node-RED that starts again; it is not removed. */
  userDir?: string;
  /** Node-RED is not to start its flows: do not wait for that. */
  areFlowsStopped?: boolean;
  /** No file may grow beyond so many blocks of 512 bytes (some shells: 1 KiB): a full disk that needs no privileges. */
  maxFileBlocks?: number;
  /** Called while it starts. */
  spawned?: (process: ChildProcess) => void;
}

export interface RunningNodeRed {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  url: string;
  userDir: string;
  /** With a channel for messages, for nodes that a test brings along. */
  process: ChildProcess;
  /** Everything it has printed. */
  output(): string;
  /** Waits for a line of its output, from the start on. */
  printed(pattern: RegExp): Promise<void>;
  /** Stops it cleanly. */
  stop(): Promise<void>;
  /** SIGKILL: no goodbye. */
  kill(): Promise<void>;
}

/**
 * Starts a real Node-RED with the built package, in a process of its own, on a free port; resolves once its flows run.
 * @throws if it stops before, or waits for a type of node that it does not have
 */
export async function startNodeRed(options: NodeRedOptions = {}): Promise<RunningNodeRed> {
  const userDir = options.userDir ?? (await mkdtemp(join(tmpdir(), 'node-red-')));
  await writeUserDir(userDir, options);
  const command = join(dirname(laneRequire.resolve('node-red/package.json')), 'red.js');
  const line = [process.execPath, command, '-u', userDir];
  const limit = ['sh', '-c', `ulimit -f ${options.maxFileBlocks}; exec "$@"`, 'sh'];
  const [file = '', ...args] = options.maxFileBlocks === undefined ? line : [...limit, ...line];
  const child = spawn(file, args, {
    cwd: userDir,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  options.spawned?.(child);
  const printer = listen(child);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  const nodeRed: RunningNodeRed = {
    url: '',
    userDir,
    process: child,
    ...printer,
    stop: async () => {
      await end('SIGTERM');
      if (options.userDir === undefined) await rm(userDir, { recursive: true, force: true });
    },
    kill: () => end('SIGKILL'),
  };
  await Promise.all([
    options.areFlowsStopped || printer.printed(/Started flows|Waiting for missing types/),
    printer.printed(/Server now running at/),
  ]);
  if (!options.areFlowsStopped && !/Started flows/.test(printer.output())) {
    await end('SIGKILL');
    throw new Error(`Node-RED's flows do not start:\n${printer.output()}`);
  }
  nodeRed.url = /Server now running at (http:\/\/[\d.]+:\d+)/.exec(printer.output())?.[1] ?? '';
  return nodeRed;
}

/** A port that nobody listens on, for a server that has to come back on the same one. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function writeUserDir(userDir: string, { flows, credentials, settings }: NodeRedOptions): Promise<void> {
  const all = {
    uiHost: '127.0.0.1',
    uiPort: 0,
    flowFile: 'flows.json',
    credentialSecret: false,
    nodesDir: [ROOT],
    telemetry: { enabled: false, updateNotification: false },
    ...settings,
    // No catalogue of other modules: it is far away, and not what is tested.
    editorTheme: { tours: false, palette: { catalogues: [] }, ...settings?.editorTheme },
  };
  await writeFile(join(userDir, 'settings.js'), `module.exports = ${JSON.stringify(all)};\n`);
  if (flows !== undefined) await writeFile(join(userDir, 'flows.json'), JSON.stringify(flows));
  if (credentials !== undefined) await writeFile(join(userDir, 'flows_cred.json'), JSON.stringify(credentials));
}

function listen(child: ChildProcess): Pick<RunningNodeRed, 'output' | 'printed'> {
  let output = '';
  let ended = false;
  const waiting = new Set<() => void>();
  const look = (): void => {
    for (const check of [...waiting]) check();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      look();
    });
  }
  child.once('close', () => {
    ended = true;
    look();
  });
  const printed = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const found = pattern.test(output);
        if (!found && !ended) return;
        waiting.delete(check);
        if (found) resolve();
        else reject(new Error(`Node-RED has stopped without printing ${pattern}:\n${output}`));
      };
      waiting.add(check);
      check();
    });
  return { output: () => output, printed };
}
