import type { NodeAPI } from 'node-red';
import * as z from 'zod';
import { Client } from '../../core/api/client.js';
import { ConfigurationError, createHttpSend, InputError, systemClock } from '../../core/index.js';
import { type EnvironmentRuntime, rateLimiters } from '../runtime/environment-runtime.js';
import { type EnvironmentSettings, environmentSettings } from '../runtime/environment-settings.js';
import { environmentById } from '../runtime/registry.js';
import { simulatorFor } from '../runtime/simulators.js';

/** An environment as a dialog has it, which need not be the one that runs. */

/** What a dialog holds that decides where requests go. Absent: the environment as it runs. */
const draft = z.object({
  kind: z.string().max(200),
  baseUrl: z.string().max(2000).default(''),
  statusUrl: z.string().max(2000).default(''),
  callbackUrl: z.string().max(2000).default(''),
  /** Typed just now; absent: the one that is kept. */
  apiKey: z.string().max(2000).optional(),
});
const request = z.object({ draft: draft.optional() });

export interface Drafted {
  client: Client;
  settings: EnvironmentSettings;
}

/** Simulators of drafts that were never deployed: they have no terminals but the standard ones. */
const UNDEPLOYED = 'undeployed';

/** Runs something with the client of an environment. @throws ConfigurationError where that has none */
export async function withDraft<T>(
  RED: NodeAPI,
  id: string,
  body: unknown,
  run: (drafted: Drafted) => Promise<T>,
): Promise<T> {
  const settings = settingsOf(RED, id, body);
  const http = createHttpSend();
  try {
    const { baseUrl, statusUrl, send } =
      settings.kind === 'simulator'
        ? await simulatorFor(environmentById(id)?.settings.kind === 'simulator' ? id : UNDEPLOYED, settings.group)
        : { ...settings, send: http };
    const { apiKey, requestsPerSecond } = settings;
    const client = new Client({
      baseUrl,
      statusUrl,
      apiKey,
      requestsPerSecond,
      send,
      clock: systemClock,
      rateLimiters,
    });
    return await run({ client, settings });
  } finally {
    await http.close();
  }
}

/** @throws ConfigurationError, InputError */
export function settingsOf(RED: NodeAPI, id: string, body: unknown): EnvironmentSettings {
  const asked = request.safeParse(body);
  if (!asked.success) throw new InputError('environment', 'the fields of its dialog', undefined);
  const access = environmentById(id);
  if (asked.data.draft === undefined) {
    if (access === undefined) throw new ConfigurationError('the environment is not deployed, or cannot be used');
    return access.settings;
  }
  const { apiKey: typed, ...fields } = asked.data.draft;
  const values = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withVariable(RED, value)]));
  const apiKey = typed === undefined ? keptKey(access, values) : withVariable(RED, typed);
  return environmentSettings({ ...values, group: access?.settings.group ?? 'B' }, { apiKey });
}

/** The key that is kept goes only where it went before: a draft's author need not be its owner. */
function keptKey(
  access: EnvironmentRuntime | undefined,
  { kind, baseUrl = '', statusUrl = '' }: Record<string, string>,
): string {
  if (kind === 'simulator') return '';
  if (access === undefined) throw new ConfigurationError('the environment has no API key yet');
  const { settings } = access;
  const isSame = (draft: string, running: string): boolean => draft.trim().replace(/\/+$/, '') === running;
  if (isSame(baseUrl, settings.baseUrl) && isSame(statusUrl, settings.statusUrl)) return settings.apiKey;
  throw new ConfigurationError('the addresses have changed: type the API key once more to try them');
}

/** `${VAR}` as Node-RED puts it in when it starts the node. */
function withVariable(RED: NodeAPI, value: string): string {
  const name = /^\$\{([^}]+)\}$/.exec(value.trim())?.[1];
  if (name === undefined) return value;
  return String(process.env[name] ?? RED.util.getSetting(undefined as never, name) ?? '');
}
