import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { simulatorFor } from '../../src/nodes/runtime/simulators.js';
import { MISHAP_KINDS } from '../../src/simulator/index.js';
import { openBrowser } from '../harness/browser.js';
import { QuickClock } from '../harness/quick-clock.js';
import { type VirtualTerminal, virtualTerminal } from '../harness/virtual-terminal.js';
import { action, type Flow, type Message, type Service, startFlow, startService } from '../nodes/flow.js';
import { type Besides, FAULT_CASES, type FaultCase } from './fault-cases.js';

/** An environment with a simulator, a terminal and a sale of its own for each fault, so that all of them go on at once. */
function nodesFor({ kind }: FaultCase): object[] {
  const environment = `environment-${kind}`;
  return [
    {
      id: environment,
      type: 'payment-environment',
      kind: 'simulator',
      name: kind,
      group: 'B',
      currency: 'EUR',
      journal: 'journal',
      requestsPerSecond: 100,
    },
    {
      id: `terminal-${kind}`,
      type: 'payment-terminal',
      environment,
      serialNumber: '10000001',
      terminalType: 'SIMULATEDT1',
    },
    action(`sale-${kind}`, 'payment-sale', { environment, terminal: `terminal-${kind}` }),
  ];
}

/** A prompt waits 30 s for a person, however busy the machine is. */
const HASTE_OF_A_PERSON = 1;
/** What takes minutes takes seconds. */
const HASTE = 15;

describe('the fault switches of the virtual terminal', () => {
  let service: Service;
  let flow: Flow;
  let browser: Browser;
  let terminal: VirtualTerminal;
  const clock = new QuickClock(HASTE_OF_A_PERSON);

  before(async () => {
    service = await startService();
    browser = await openBrowser();
    flow = await startFlow({ service, more: FAULT_CASES.flatMap(nodesFor) });
    terminal = await virtualTerminal(browser, { fromBuild: true });
    for (const fault of FAULT_CASES) if (fault.act !== undefined) await begin(fault);
    clock.runAt(HASTE);
    for (const fault of FAULT_CASES) if (fault.act === undefined) await begin(fault);
  });
  after(async () => {
    await browser?.close();
    await flow?.stop();
    await service?.stop();
    // A simulator outlives its environment's node, and its terminals would go on calling back.
    for (const { kind } of FAULT_CASES) (await simulatorFor(`environment-${kind}`, 'B')).stop();
    clock.restore();
  });

  /** Switches the fault on, on the page, and begins a sale. */
  async function begin({ kind, besides = [], amount = '10.00', act }: FaultCase): Promise<void> {
    const { page } = terminal;
    await page.goto(`${flow.url}/payment-admin/virtual-terminal/?simulator=environment-${kind}`);
    await page.locator('.live').getByText('Connected').waitFor();
    const switches: Besides[] = [...besides, { kind }];
    for (const { kind: fault, always = false, seconds } of switches) {
      await page.getByRole('radio', { name: always ? 'Until switched off' : 'Next time only' }).check();
      const row = page.locator('.fault', { has: page.locator(`[data-fault=${fault}]`) });
      if (seconds !== undefined) await row.getByRole('spinbutton').fill(String(seconds));
      await row.getByRole('switch').check();
      await page.locator(`.fault.armed [data-fault=${fault}]`).waitFor();
    }
    if (act !== undefined) await page.getByRole('radio', { name: 'I pay' }).check();
    flow.send({ topic: kind, payload: { amount } }, `sale-${kind}`);
    await act?.(page);
  }

  /** What the sale of a fault ended in. */
  async function told(kind: string): Promise<{ output: string; msg: Message }> {
    for (let count = 1; ; count++) {
      const answer = await flow.answer(count);
      if (answer.msg.topic === kind) return answer;
    }
  }

  it('are there for everything that goes wrong on the way', () => {
    assert.deepEqual(FAULT_CASES.map(({ kind }) => kind).sort(), [...MISHAP_KINDS].sort());
  });

  for (const { kind, ends, moved } of FAULT_CASES) {
    it(`${kind}: the flow is told "${ends[1]}", and ${moved} have moved`, async () => {
      const { output, msg } = await told(kind);
      const simulator = await simulatorFor(`environment-${kind}`, 'B');
      assert.ok((simulator.faults.counts()[kind] ?? 0) > 0, 'it struck');
      assert.deepEqual([output, msg.payload.outcome, msg.payload.moneyMoved], ends);
      assert.equal(simulator.bank.netMoved(), moved);
      assert.ok(simulator.bank.charges().length <= 1, 'nobody is charged twice');
    });
  }
});
