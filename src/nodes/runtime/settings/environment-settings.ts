import { type AcquirerGroup, GROUPS } from '../../../core/base/capabilities.js';
import { ConfigurationError } from '../../../core/base/errors.js';
import { isBase, isLoopback } from '../../../core/base/privacy/address.js';
import { configFlag, configInteger, configText } from './config-values.js';

/** The settings of an environment node, checked at run time, when the values of `${VAR}` are known. */

type EnvironmentKind = 'simulator' | 'staging' | 'demo' | 'live';

export interface EnvironmentSettings {
  kind: EnvironmentKind;
  baseUrl: string;
  statusUrl: string;
  apiKey: string;
  /** Another key of the same merchant, for the time of a change of keys. Empty: none. */
  secondApiKey: string;
  group: AcquirerGroup;
  /** Refuse before sending what the acquirer group does not offer. */
  checkGroup: boolean;
  /** ISO 4217. Empty: every message has to name its currency. */
  currency: string;
  /** Empty: results are polled for. */
  callbackUrl: string;
  /** Empty: derived from the keys. */
  callbackSecret: string;
  /** The receipts outlive a restart, encrypted under the secret of the environment. */
  keepReceipts: boolean;
  /** For how many days. */
  receiptDays: number;
  requestsPerSecond: number;
  countReads: boolean;
}

/** With play money nobody has to choose one. */
const SIMULATED_CURRENCY = 'EUR';

const RECEIPT_DAYS = 30;

const KINDS: readonly EnvironmentKind[] = ['simulator', 'staging', 'demo', 'live'];

/** @throws ConfigurationError naming the setting that is missing or invalid */
export function environmentSettings(
  config: Record<string, unknown>,
  credentials: Record<string, string | undefined> = {},
): EnvironmentSettings {
  const kind = oneOf('kind', config.kind, KINDS);
  const isSimulated = kind === 'simulator';
  const settings: EnvironmentSettings = {
    kind,
    baseUrl: isSimulated ? '' : address('service address', config.baseUrl, kind),
    statusUrl: isSimulated ? '' : address('status service address', config.statusUrl, kind),
    apiKey: isSimulated ? 'simulator' : configText('API key', credentials.apiKey),
    secondApiKey: isSimulated ? '' : configText('second API key', credentials.secondApiKey),
    group: oneOf('acquirer group', config.group ?? 'B', GROUPS),
    checkGroup: configFlag('check group', config.checkGroup, true),
    currency: configText('currency', config.currency).toUpperCase() || (isSimulated ? SIMULATED_CURRENCY : ''),
    callbackUrl: config.callbackUrl ? address('public address', config.callbackUrl, kind) : '',
    callbackSecret: configText('callback secret', credentials.callbackSecret),
    keepReceipts: configFlag('keep receipts', config.keepReceipts, false),
    receiptDays: configInteger('days to keep receipts', config.receiptDays, { fallback: RECEIPT_DAYS, min: 1 }),
    requestsPerSecond: configInteger('requests per second', config.requestsPerSecond, { fallback: 2, min: 1 }),
    countReads: configFlag('rate-limit reads', config.countReads, false),
  };
  if (settings.keepReceipts && settings.callbackSecret === '')
    throw new ConfigurationError('receipts are kept only under a secret of the environment: enter one, or keep none');
  if (settings.apiKey === '') throw new ConfigurationError('API key: none is entered');
  return settings;
}

function address(what: string, value: unknown, kind: EnvironmentKind): string {
  const text = configText(what, value);
  if (text === '') throw new ConfigurationError(`${what}: none is entered`);
  if (!URL.canParse(text))
    throw new ConfigurationError(`${what}: expected a URL such as https://example.com, got ${withoutUser(text)}`);
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '')
    throw new ConfigurationError(`${what}: expected no user name or password in it`);
  // Every request goes to a path below it.
  if (!isBase(text)) throw new ConfigurationError(`${what}: expected no "?" and no "#" in it`);
  const isPlain = protocol === 'http:' && isLoopback(hostname) && kind !== 'live';
  if (protocol !== 'https:' && !isPlain) {
    const reason = kind === 'live' ? 'a live environment needs https' : 'http is allowed on this machine only';
    throw new ConfigurationError(`${what}: expected https (${reason}), got ${text}`);
  }
  return text.replace(/\/+$/, '');
}

/** The text before an `@` may be a password, which must not appear in an error. */
function withoutUser(text: string): string {
  return text.replace(/[^/]*@/, '');
}

function oneOf<Value extends string>(what: string, value: unknown, values: readonly Value[]): Value {
  const found = values.find((one) => one === value);
  if (found === undefined)
    throw new ConfigurationError(`${what}: expected one of ${values.join(', ')}, got ${String(value)}`);
  return found;
}
