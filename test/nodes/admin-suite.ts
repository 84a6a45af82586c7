import { after, afterEach, before } from 'node:test';
import { askAdmin } from './ask-admin.js';
import { type Flow, type FlowOptions, type Service, startFlow, startService } from './flow.js';

export const TERMINAL = { serial_number: '10000001', terminal_type: 'SIMULATEDT1' };

/** Made in a `describe`: one service for its tests, and a flow that each test starts. */
export class AdminSuite {
  service!: Service;
  flow!: Flow;

  constructor() {
    before(async () => {
      this.service = await startService();
    });
    after(() => this.service.stop());
    afterEach(() => this.flow.stop());
  }

  async start(options: Partial<FlowOptions> = {}): Promise<void> {
    this.flow = await startFlow({ service: this.service, ...options });
  }

  /** A request of the editor. @param body of a POST; absent: a GET */
  ask<T>(path: string, body?: object): Promise<{ status: number; body: T }> {
    return askAdmin<T>(this.flow.url, path, body);
  }
}
