import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import { Collector } from '../harness/collector.js';
import { openEditor } from '../harness/editor.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { polled } from '../harness/polled.js';
import { saleFlow } from '../harness/sale-flow.js';
import { type Service, startService } from '../nodes/flow.js';

describe('the payments sidebar, where somebody stops the flows while it is open', () => {
  let browser: Browser;
  let service: Service;
  let collector: Collector;
  let nodeRed: RunningNodeRed;

  before(async () => {
    browser = await openBrowser();
    service = await startService({ cardholder: 'none' });
    collector = new Collector();
    await collector.start();
    nodeRed = await startNodeRed({
      flows: saleFlow(service, collector.url),
      credentials: { environment: { apiKey: 'simulator' } },
      settings: { runtimeState: { enabled: true } },
    });
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
    collector?.stop();
    await service?.stop();
  });

  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${nodeRed.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('says that nobody follows the open payment, and no longer so once they run again', async () => {
    const { page } = await openEditor(browser, nodeRed.url, 'sale');
    await page.evaluate("RED.sidebar.show('payments')");
    const isPolled = polled(service.simulator);
    await post('/pay', { amount: '10.00' });
    await isPolled;
    await page.getByText('waiting for card').first().waitFor();
    await post('/flows/state', { state: 'stop' });
    await page.getByText('no usable environment').first().waitFor();
    await post('/flows/state', { state: 'start' });
    service.simulator.terminal('10000001').presentCard();
    await page.getByText('no usable environment').first().waitFor({ state: 'detached' });
  });
});
