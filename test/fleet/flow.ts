import type { TerminalAddress } from '../../src/core/api/schema/fields.js';

/** What every replica runs: `POST /shop-<n>` takes an order and answers with what became of it. A witness writes down what comes out. */

/** The terminals of one API key. */
export interface Shop {
  key: string;
  terminals: readonly TerminalAddress[];
}

export interface Addresses {
  baseUrl: string;
  statusUrl: string;
  /** Where the service reaches the replicas. */
  balancer: string;
}

export const KINDS = ['sale', 'hold', 'refund', 'reversal', 'tip', 'capture'] as const;

/** What a customer orders. A hold is captured later; the others are follow-ups of a sale. */
export type Kind = (typeof KINDS)[number];

/** What the response of an order says. */
export interface Answer {
  outcome?: string;
  moneyMoved?: string;
  final?: boolean;
  retry?: string;
  transactionId?: string;
  reference?: string;
  /** Of what came to Catch. */
  code?: string;
}

const NODES: Readonly<Record<Kind, object>> = {
  sale: { type: 'payment-sale', busyWait: 120, duplicateCheck: 'false' },
  hold: { type: 'payment-preauth', operation: 'create', busyWait: 120, duplicateCheck: 'false' },
  refund: { type: 'payment-refund', busyWait: 120 },
  reversal: { type: 'payment-reversal' },
  tip: { type: 'payment-tip', tip: 'payload.tip', tipType: 'msg' },
  capture: { type: 'payment-preauth', operation: 'capture' },
};

const TAKE = `
const { entry, order, kind, terminal } = msg.payload;
Object.assign(msg, { entry, order, terminal });
return ${JSON.stringify(KINDS)}.map((known) => (known === kind ? msg : null));`;

/** A message that was taken over has no response, and a correction comes after it. */
const ANSWER = `
if (msg.res === undefined || msg.payload.correction) return null;
const { outcome, moneyMoved, final, retry, transactionId, reference } = msg.payload;
msg.payload = { outcome, moneyMoved, final, retry, transactionId, reference };
msg.statusCode = 200;
return msg;`;

const CAUGHT = `
if (msg.res === undefined) return null;
const { code, message } = msg.error;
msg.statusCode = code === 'STANDBY' ? 503 : 500;
msg.payload = { code, message };
return msg;`;

/** How the replicas are set up. */
export interface FlowSetting {
  /** Requests per second of each key; 0: as many as a node takes. */
  rate: number;
  store?: 'embedded' | 'postgresql';
}

/** What a node takes at most. */
const HIGHEST_RATE = 100;

export function fleetFlow(
  shops: readonly Shop[],
  { rate, store = 'postgresql' }: FlowSetting,
  addresses: Addresses,
): object[] {
  const requestsPerSecond = rate === 0 ? HIGHEST_RATE : rate;
  return [
    { id: 'tab', type: 'tab', label: 'fleet' },
    { id: 'journal', type: 'payment-journal', store, keepDays: 400 },
    ...shops.flatMap(({ terminals }, place) => shopFlow(place, terminals, requestsPerSecond, addresses)),
    onTab('catch', { type: 'catch', scope: null, wires: [['witness', 'caught']] }),
    onTab('caught', code(CAUGHT, [['response']])),
    onTab('answer', code(ANSWER, [['response']])),
    onTab('response', { type: 'http response', statusCode: '', wires: [] }),
    onTab('witness', { type: 'truth-witness' }),
  ];
}

/** @param journal the address of the database */
export function fleetCredentials(shops: readonly Shop[], journal: string): Record<string, Record<string, string>> {
  const keys = shops.map(({ key }, place) => [`environment-${place}`, { apiKey: key }]);
  return { ...Object.fromEntries(keys), journal: { address: journal } };
}

function shopFlow(
  place: number,
  terminals: readonly TerminalAddress[],
  requestsPerSecond: number,
  { baseUrl, statusUrl, balancer }: Addresses,
): object[] {
  const environment = `environment-${place}`;
  const [first = ''] = terminals.map(({ serial_number }) => `terminal-${serial_number}`);
  const node = (kind: Kind): object =>
    onTab(`${kind}-${place}`, {
      ...NODES[kind],
      ...(kind === 'tip' ? { environment } : { terminal: first }),
      wires: [
        ['witness', 'answer'],
        ['witness', 'answer'],
        ['witness', 'answer'],
      ],
    });
  return [
    {
      id: environment,
      type: 'payment-environment',
      kind: 'demo',
      baseUrl,
      statusUrl,
      group: 'B',
      currency: 'EUR',
      callbackUrl: `${balancer}/payments-${place}`,
      requestsPerSecond,
      journal: 'journal',
    },
    ...terminals.map(({ serial_number, terminal_type }) => ({
      id: `terminal-${serial_number}`,
      type: 'payment-terminal',
      environment,
      serialNumber: serial_number,
      terminalType: terminal_type,
    })),
    onTab(`callback-in-${place}`, { type: 'payment-callback-in', environment, wires: [[]] }),
    onTab(`in-${place}`, { type: 'http in', url: `/shop-${place}`, method: 'post', wires: [[`take-${place}`]] }),
    onTab(
      `take-${place}`,
      code(
        TAKE,
        KINDS.map((kind) => [`${kind}-${place}`]),
      ),
    ),
    ...KINDS.map(node),
  ];
}

function onTab(id: string, node: object): object {
  return { id, z: 'tab', x: 1, y: 1, ...node };
}

function code(func: string, wires: string[][]): object {
  return { type: 'function', func, outputs: wires.length, libs: [], wires };
}
