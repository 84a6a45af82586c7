/** What a message carries, and what its error must name: the source of the value, what was expected, what came. */
export type Row = [msg: Record<string, unknown>, names: string, expects: RegExp, got: string];

/** A node with fields that come from the message, and messages that it must refuse before anything is sent. */
export interface BadInput {
  type: string;
  config: Record<string, unknown>;
  /** What every message carries besides, unless a row says otherwise. */
  also?: Record<string, unknown>;
  rows: readonly Row[];
}

/** A configuration that reads each of these fields from the message property of the same name. */
export function fromMessage(...fields: string[]): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => [
      [field, field],
      [`${field}Type`, 'msg'],
    ]),
  );
}

/** Ids of a payment that nobody made: nothing may ask for them. */
const ORIGINAL = '7d3a5c1e-0b52-4f6e-9c68-1f2e3d4c5b6a';
export const REFERENCE = '2f6b8d0a-4c1e-4a3f-8b5d-9e7f6a5b4c3d';

/** The result of an earlier payment, with what a row replaces. */
export function paid(more: object = {}): { payload: object } {
  return { payload: { transactionId: ORIGINAL, reference: REFERENCE, amount: '5.00', currency: 'EUR', ...more } };
}

const DECIMAL = /decimal/;

/** Amounts that no node takes. `from` names where the node reads its amount, `put` puts it there. */
export function badAmounts(from: string, put: (amount: unknown) => Record<string, unknown>): Row[] {
  const amounts: [unknown, string][] = [
    ['12,50', '"12,50"'],
    ['-1', '"-1"'],
    ['1e3', '"1e3"'],
    ['12.345', '"12.345"'],
    [0.1 + 0.2, '0.30000000000000004'],
    ['5 EUR', '"5 EUR"'],
    [[5], '[5]'],
  ];
  return amounts.map(([amount, got]) => [put(amount), from, DECIMAL, got]);
}

/** Words that no choice has. */
export function badChoice(field: string, options: string, wrong: string, also: object): Row[] {
  const expects = new RegExp(`one of ${options}`);
  return [
    [{ ...also, [field]: wrong }, `msg.${field}`, expects, `"${wrong}"`],
    [{ ...also, [field]: undefined }, `msg.${field}`, expects, 'nothing'],
  ];
}

/** Terminals that no message may name. Fields of `also` make the rest of the message right. */
export function badTerminals(also: object): Row[] {
  return [
    [{ ...also, terminal: '10000001' }, 'msg.terminal', /serial_number and terminal_type/, '"10000001"'],
    [{ ...also, terminal: { serial_number: 1, terminal_type: 'A' } }, 'msg.terminal', /texts serial_number/, '"A"'],
    [{ ...also, terminal: { serial_number: '', terminal_type: 'A' } }, 'serial_number', /not empty/, '""'],
    [{ ...also, terminal: { serial_number: '1', terminal_type: 'VT' } }, 'terminal_type', /virtual/, '"VT"'],
  ];
}

/** How long a busy terminal is waited for. */
export function badWaits(also: object): Row[] {
  return [
    [{ ...also, busyWait: -1 }, 'msg.busyWait', /from 0 to 3600/, '-1'],
    [{ ...also, busyWait: 'soon' }, 'msg.busyWait', /from 0 to 3600/, '"soon"'],
  ];
}

/** How late an operation without a terminal may begin. */
export function badStarts(also: object): Row[] {
  return [
    [{ ...also, startWithin: 0 }, 'msg.startWithin', /from 1 to 604800/, '0'],
    [{ ...also, startWithin: 'soon' }, 'msg.startWithin', /from 1 to 604800/, '"soon"'],
  ];
}

/** Merchant accounts that do not name one. */
export function badMerchants(also: object): Row[] {
  return [
    [{ ...also, merchantAuth: 'STORE-1' }, 'merchantAuth', /a list/, '"STORE-1"'],
    [{ ...also, merchantAuth: [{ acquirer: 'TSYS' }] }, 'merchantAuth[0]', /mid, tid and mcc/, '"TSYS"'],
    [{ ...also, merchantAuth: [{ mid: '1' }, { mid: '2' }] }, 'merchantAuth[0].acquirer', /different/, 'nothing'],
  ];
}
