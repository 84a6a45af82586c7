import type { NodeAPI } from 'node-red';
import * as z from 'zod';
import { Client } from '../../../core/api/client.js';
import { ConfigurationError, createHttpSend, InputError, systemClock } from '../../../core/index.js';
import { rateLimiters } from '../../runtime/environment/shared-queues.js';
import type { EnvironmentRuntime } from '../../runtime/environment-runtime.js';
import { environmentById } from '../../runtime/registry.js';
import { type EnvironmentSettings, environmentSettings } from '../../runtime/settings/environment-settings.js';
import { withVariable } from '../../runtime/settings/variables.js';
import { simulatorFor } from '../../runtime/simulators.js';

/** A draft is an environment as an open dialog has it, which may differ from the deployed one. */

/** The fields of the dialog that decide where requests go. Absent: the deployed environment is meant. */
const draft = z.object({
  kind: z.string().max(200),
  baseUrl: z.string().max(2000).default(''),
  statusUrl: z.string().max(2000).default(''),
  callbackUrl: z.string().max(2000).default(''),
  /** Typed since the last deploy; absent: the deployed key. */
  apiKey: z.string().max(2000).optional(),
  /** Typed since the last deploy; absent: the deployed second key. */
  secondApiKey: z.string().max(2000).optional(),
});
const request = z.object({ draft: draft.optional() });

export interface Drafted {
  client: Client;
  /** Uses the second key; absent where there is none. */
  second?: Client;
  settings: EnvironmentSettings;
}

/** Id of the one simulator for drafts that were never deployed. It has only the standard terminals. */
const UNDEPLOYED = 'undeployed';

/** Calls `run` with a client for a draft. @throws ConfigurationError, InputError where the draft cannot be used */
export async function withDraft<T>(
  RED: NodeAPI,
  id: string,
  body: unknown,
  run: (drafted: Drafted) => Promise<T>,
): Promise<T> {
  const settings = settingsOf(RED, id, body);
  const http = createHttpSend();
  const clients: Client[] = [];
  try {
    const { baseUrl, statusUrl, send } =
      settings.kind === 'simulator'
        ? await simulatorFor(environmentById(id)?.settings.kind === 'simulator' ? id : UNDEPLOYED, settings.group)
        : { ...settings, send: http };
    const { apiKey, secondApiKey, requestsPerSecond } = settings;
    const withKey = (key: string): Client => {
      const options = { baseUrl, statusUrl, apiKey: key, requestsPerSecond, send, clock: systemClock, rateLimiters };
      const client = new Client(options);
      clients.push(client);
      return client;
    };
    const second = secondApiKey === '' ? {} : { second: withKey(secondApiKey) };
    return await run({ client: withKey(apiKey), ...second, settings });
  } finally {
    for (const client of clients) client.close();
    await http.close();
  }
}

/** @throws ConfigurationError, InputError */
function settingsOf(RED: NodeAPI, id: string, body: unknown): EnvironmentSettings {
  const parsed = request.safeParse(body);
  if (!parsed.success) throw new InputError('environment', 'the fields of its dialog', undefined);
  const environment = environmentById(id);
  if (parsed.data.draft === undefined) {
    if (environment === undefined) throw new ConfigurationError('the environment is not deployed, or cannot be used');
    return environment.settings;
  }
  const { apiKey: typed, secondApiKey: typedSecond, ...fields } = parsed.data.draft;
  const values = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withVariable(RED, value)]));
  const keys = {
    apiKey: typed === undefined ? deployedKey(environment, values) : withVariable(RED, typed),
    secondApiKey:
      typedSecond === undefined ? deployedAt(environment, values)?.secondApiKey : withVariable(RED, typedSecond),
  };
  return environmentSettings({ ...values, group: environment?.settings.group ?? 'B' }, keys);
}

/** The deployed key, only for the deployed addresses: the author of a draft may not be allowed to know the key. */
function deployedKey(environment: EnvironmentRuntime | undefined, values: Record<string, string>): string {
  if (values.kind === 'simulator') return '';
  if (environment === undefined) throw new ConfigurationError('API key: none is entered');
  const deployed = deployedAt(environment, values);
  if (deployed !== undefined) return deployed.apiKey;
  throw new ConfigurationError('the addresses have changed: enter the API key again to test them');
}

/** The deployed settings, where they have the addresses of the draft. */
function deployedAt(
  environment: EnvironmentRuntime | undefined,
  { baseUrl = '', statusUrl = '' }: Record<string, string>,
): EnvironmentSettings | undefined {
  const isSame = (draft: string, running?: string): boolean => draft.trim().replace(/\/+$/, '') === running;
  const settings = environment?.settings;
  return isSame(baseUrl, settings?.baseUrl) && isSame(statusUrl, settings?.statusUrl) ? settings : undefined;
}
