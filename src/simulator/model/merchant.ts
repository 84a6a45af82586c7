/** Merchants: their keys, their terminals, and the capabilities of their acquirer. */

export type AcquirerGroup = 'B' | 'E' | 'S';

export interface Capabilities {
  preAuthAllowed: boolean;
  refundAllowed: boolean;
  partialReversalAllowed: boolean;
  supportsMoto: boolean;
  cardTokenProvider: boolean;
  debitCardsOnly: boolean;
  /** A card token can be fetched after the sale. */
  deferredTokenization: boolean;
  /** Card-not-present sales need a CVV, which a stored token does not have (3107). */
  cvvRequired: boolean;
  /** Batches must be closed every day. A missed one must be closed first, by its number. */
  mustCloseDaily: boolean;
}

export interface TerminalConfig {
  serial_number: string;
  terminal_type: string;
}

export interface MerchantConfig {
  /** `merchant_id_alpha`. */
  id?: string;
  name?: string;
  /** Every key opens the same terminals and has a rate limit of its own. */
  keys?: string[];
  group?: AcquirerGroup;
  /** Whether the acquirer is simulated, with trigger amounts. Default true. */
  demo?: boolean;
  capabilities?: Partial<Capabilities>;
  terminals?: TerminalConfig[];
  /** Valid values of `merchantAuth.externalId`. */
  externalIds?: string[];
}

export interface Merchant extends Required<Omit<MerchantConfig, 'capabilities'>> {
  capabilities: Capabilities;
}

const ALL_ON: Capabilities = {
  preAuthAllowed: true,
  refundAllowed: true,
  partialReversalAllowed: true,
  supportsMoto: true,
  cardTokenProvider: true,
  debitCardsOnly: false,
  deferredTokenization: true,
  cvvRequired: false,
  mustCloseDaily: false,
};

export const DEFAULT_KEY = 'simulator';
export const DEFAULT_TERMINALS: readonly TerminalConfig[] = [
  { serial_number: '10000001', terminal_type: 'SIMULATEDT1' },
  { serial_number: '10000002', terminal_type: 'SIMULATEDT1' },
  { serial_number: '10000003', terminal_type: 'SIMULATEDT2' },
];
/**
 * The virtual terminal of every merchant with card-not-present payments. Listed, but never the target of an
 * operation.
 */
const VIRTUAL_TERMINAL_TYPE = 'VT';

export class Merchants {
  private readonly byKey = new Map<string, Merchant>();
  readonly all: readonly Merchant[];

  constructor(configs: readonly MerchantConfig[] = [{}]) {
    this.all = configs.map(complete);
    for (const merchant of this.all) {
      for (const key of merchant.keys) this.byKey.set(key, merchant);
    }
  }

  get first(): Merchant {
    const [first] = this.all;
    if (first === undefined) throw new Error('a service without a merchant');
    return first;
  }

  /** Gives the first merchant another key, beside those that it has. */
  issueKey(key: string): void {
    this.byKey.set(key, this.first);
  }

  /** From now on nobody is let in with that key. What runs on a terminal goes on. */
  revokeKey(key: string): void {
    this.byKey.delete(key);
  }

  /** The merchant of a key, or undefined for a wrong or missing one. */
  withKey(key: string | undefined): Merchant | undefined {
    return key === undefined ? undefined : this.byKey.get(key);
  }
}

/** The entries of `GET /devices` for a merchant. */
export function devicesOf(merchant: Merchant): Record<string, string>[] {
  const virtual = { serial_number: `VT-${merchant.id}`, terminal_type: VIRTUAL_TERMINAL_TYPE };
  const listed = merchant.capabilities.supportsMoto ? [...merchant.terminals, virtual] : merchant.terminals;
  return listed.map(({ serial_number, terminal_type }) => ({
    merchant_id_alpha: merchant.id,
    serial_number,
    ssk: `ssk-${serial_number}-do-not-log`,
    terminal_type,
  }));
}

function complete(config: MerchantConfig, index: number): Merchant {
  return {
    id: config.id ?? `DEMO${index === 0 ? '' : index + 1}`,
    name: config.name ?? 'Demo Merchant',
    keys: config.keys ?? [index === 0 ? DEFAULT_KEY : `${DEFAULT_KEY}-${index + 1}`],
    group: config.group ?? 'B',
    demo: config.demo ?? true,
    capabilities: { ...ALL_ON, ...config.capabilities },
    terminals: config.terminals ?? DEFAULT_TERMINALS.map((terminal) => ({ ...terminal })),
    externalIds: config.externalIds ?? ['STORE-1', 'STORE-2'],
  };
}
