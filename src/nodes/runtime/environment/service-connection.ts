import type { TerminalAddress } from '../../../core/api/schema/fields.js';
import type { CallbackSettings, callbackSecrets } from '../../../core/base/callback.js';
import type { Send } from '../../../core/base/seams.js';
import type { Payments } from '../../../core/engine/payments.js';
import type { HttpSend } from '../../../core/platform/undici-send.js';
import { loadCore } from '../load.js';
import type { EnvironmentSettings } from '../settings/environment-settings.js';
import { endSimulator, receiveFrom, simulatorFor } from '../simulators.js';
import { callbackReceiver, IN_PROCESS_ADDRESS } from './in-process-callbacks.js';

export interface Service {
  baseUrl: string;
  statusUrl: string;
  send: Send;
  /** Absent: results are polled for. */
  callback?: CallbackSettings;
}

/** How an environment reaches its service, over the network or in this process, and how callbacks reach its engine. */
export class ServiceConnection {
  private http: HttpSend | undefined;
  private secrets: ReturnType<typeof callbackSecrets> | undefined;

  /** @param environment id of its node */
  constructor(
    private readonly environment: string,
    private readonly settings: EnvironmentSettings,
    private readonly engine: () => Promise<Payments>,
  ) {}

  async open(): Promise<Service> {
    const { kind, baseUrl, statusUrl, callbackUrl, callbackSecret, apiKey, secondApiKey } = this.settings;
    const core = loadCore();
    this.http ??= core.createHttpSend();
    const secrets = core.callbackSecrets(callbackSecret, secondApiKey === '' ? [apiKey] : [apiKey, secondApiKey]);
    this.secrets = secrets;
    const callback = callbackUrl === '' ? {} : { callback: { address: callbackUrl, ...secrets } };
    if (kind !== 'simulator') return { baseUrl, statusUrl, send: this.http, ...callback };
    const simulator = await simulatorFor(this.environment, this.settings.group);
    receiveFrom(this.environment, callbackReceiver(this.engine, this.http));
    return {
      baseUrl: simulator.baseUrl,
      statusUrl: simulator.statusUrl,
      send: simulator.send,
      callback: { address: IN_PROCESS_ADDRESS, ...secrets },
      ...callback,
    };
  }

  /** Whether a callback is certainly not the service's. False until the environment has begun: its engine says so then. */
  isForged(attemptId: string, token: string | undefined): boolean {
    return this.secrets !== undefined && !loadCore().isCallbackToken(this.secrets, attemptId, token);
  }

  /** The terminal for messages that name none: the simulator's first one. */
  async defaultTerminal(): Promise<TerminalAddress | undefined> {
    if (this.settings.kind !== 'simulator') return undefined;
    const [first] = (await simulatorFor(this.environment, this.settings.group)).terminals();
    return first && { serial_number: first.serial_number, terminal_type: first.terminal_type };
  }

  /** From now on the simulator's callbacks are answered by 503, until an environment with this id opens again. */
  stopCallbacks(): void {
    receiveFrom(this.environment, undefined);
  }

  /** @param isRemoved the environment does not come back: its simulator ends too */
  async close(isRemoved: boolean): Promise<void> {
    await this.http?.close();
    if (isRemoved) endSimulator(this.environment);
  }
}
