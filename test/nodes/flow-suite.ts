import { after, before } from 'node:test';
import type { SimulatorOptions } from '../../src/simulator/index.js';
import { type Flow, type FlowOptions, type Service, startFlow, startService } from './flow.js';

/** Made in a `describe`: one service and one flow for all of its tests. */
export class FlowSuite {
  service!: Service;
  flow!: Flow;

  constructor(options: Omit<FlowOptions, 'service'> = {}, simulator: Partial<SimulatorOptions> = {}) {
    before(async () => {
      this.service = await startService(simulator);
      this.flow = await startFlow({ service: this.service, ...options });
    });
    after(async () => {
      await this.flow.stop();
      await this.service.stop();
    });
  }
}
