import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { Collector } from '../harness/collector.js';
import { type NodeRedOptions, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { PATIENT } from '../harness/patient-clock.js';
import { polled } from '../harness/polled.js';
import { saleFlow } from '../harness/sale-flow.js';
import { type Service, startService } from './flow.js';

/** Node-RED runs without its flows: nobody follows a payment then, and nobody but the log and the sidebar can say so. */
describe('a payment is open, and Node-RED', () => {
  const unknown = { id: 'unknown', z: 'tab', type: 'unknown-to-all', x: 1, y: 1, wires: [] };
  const settings = { runtimeState: { enabled: true } };
  let service: Service;
  let collector: Collector;
  let flows: object[];
  let userDir: string;
  let journal: string;
  let latest: RunningNodeRed;

  before(async () => {
    service = await startService({ cardholder: 'none', clock: PATIENT });
    collector = new Collector();
    await collector.start();
    userDir = await mkdtemp(join(tmpdir(), 'node-red-'));
    journal = join(userDir, 'elsewhere');
    flows = [
      ...saleFlow(service, collector.url, { journal: 'journal' }),
      { id: 'journal', type: 'payment-journal', store: 'embedded', folder: journal },
    ];
    await start({ credentials: { environment: { apiKey: 'simulator' } } });
    const isPolled = polled(service.simulator);
    const body = JSON.stringify({ amount: '10.00', order: 1 });
    await fetch(`${latest.url}/pay`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await isPolled;
    await latest.kill();
  });
  afterEach(() => latest.kill());
  after(async () => {
    collector.stop();
    await service.stop();
    await rm(userDir, { recursive: true, force: true });
  });

  async function start(options: NodeRedOptions = {}): Promise<void> {
    latest = await startNodeRed({ userDir, flows, settings, ...options });
  }

  async function run(state: 'start' | 'stop'): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    await fetch(`${latest.url}/flows/state`, { method: 'POST', headers, body: JSON.stringify({ state }) });
  }

  /** What the log and the sidebar say. */
  async function assertReported(
    cure = /Node-RED does not run the flows with the environment environment: start/,
  ): Promise<void> {
    await latest.printed(/nobody here follows them.*[0-9a-f-]{36}$/m);
    const lines = latest.output().match(/^.*nobody here follows.*$/gm) ?? [];
    assert.equal(lines.length, 1);
    assert.ok(lines[0]?.includes(`1 payments are open in the journal in ${journal}, `), lines[0]);
    assert.match(lines[0] ?? '', cure);
    const answer = await fetch(`${latest.url}/payment-admin/operations`);
    const { operations } = (await answer.json()) as { operations: { standing: string; stage: string }[] };
    assert.deepEqual(
      operations.map(({ standing, stage }) => [standing, stage]),
      [['attention', 'abandoned']],
    );
  }

  test('starts with the journal disabled: the log names the payment, and the sidebar shows it', async () => {
    await start({ flows: flows.map((node) => ({ ...node, ...('store' in node ? { d: true } : {}) })) });
    await assertReported(/This environment cannot be used: correct what its error names/);
  });

  test('is to run a type of node that it does not have: the same', async () => {
    await start();
    const headers = { 'content-type': 'application/json', 'node-red-api-version': 'v2' };
    const body = JSON.stringify({ flows: [...flows, unknown] });
    await fetch(`${latest.url}/flows`, { method: 'POST', headers, body });
    await assertReported();
  });

  test('is told to stop the flows: the same', async () => {
    await start();
    await run('stop');
    await assertReported();
  });

  test('starts with its flows stopped: the same', async () => {
    await start({ areFlowsStopped: true });
    await assertReported();
  });

  test('starts in safe mode: the same', async () => {
    await start({ areFlowsStopped: true, settings: { ...settings, safeMode: true } });
    await assertReported();
  });

  test('starts without a type of node: the same', async () => {
    await start({ areFlowsStopped: true, flows: [...flows, unknown] });
    await assertReported();
  });

  test('cannot load its project: the same', async () => {
    const lost = { projects: { lost: {} }, activeProject: 'lost' };
    await writeFile(join(userDir, '.config.projects.json'), JSON.stringify(lost));
    await start({
      areFlowsStopped: true,
      settings: { editorTheme: { projects: { enabled: true } } },
      // Which journal the flows name nobody can read.
      env: { CLOUD_TERMINAL_JOURNAL: journal },
    });
    await assertReported();
  });

  test('cannot read the credentials of its project: the same', async () => {
    const project = join(userDir, 'projects/till');
    await mkdir(project, { recursive: true });
    const settingsOf = { flowFile: 'flow.json', credentialsFile: 'flow_cred.json' };
    const files = { 'package.json': { name: 'till', 'node-red': { settings: settingsOf } }, 'flow.json': flows };
    for (const [name, content] of Object.entries({ ...files, 'flow_cred.json': { $: '00' } }))
      await writeFile(join(project, name), JSON.stringify(content));
    const git = (...args: string[]): Buffer =>
      execFileSync('git', ['-c', 'user.name=till', '-c', 'user.email=till@till.example', ...args], { cwd: project });
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'flows');
    const known = { projects: { till: { credentialSecret: false } }, activeProject: 'till' };
    await writeFile(join(userDir, '.config.projects.json'), JSON.stringify(known));
    await start({
      areFlowsStopped: true,
      settings: { editorTheme: { projects: { enabled: true } } },
      env: { CLOUD_TERMINAL_JOURNAL: journal },
    });
    await latest.printed(/Failed to decrypt credentials/);
    await assertReported();
  });

  test('is told to start the flows: the node tells what became of the payment', async () => {
    await start({ areFlowsStopped: true });
    await run('start');
    service.simulator.terminal('10000001').presentCard();
    const { output, msg } = await collector.message(1);
    assert.deepEqual([output, msg.payload.outcome], ['done', 'approved']);
  });
});
