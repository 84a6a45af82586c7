import type { Seal, Sealed } from '../../../core/base/privacy/seal.js';
import type { KeptReceipts } from '../../../core/delivery/kept-receipts.js';
import type { ResultPayload } from '../../../core/delivery/payload.js';
import type { Journal } from '../../../core/journal/journal.js';
import type { SealedReceipts } from '../../../core/journal/receipt-store.js';
import { loadCore } from '../load.js';
import type { EnvironmentSettings } from '../settings/environment-settings.js';
import { noteRecent, type Receipts, recentReceipts } from './recent-receipts.js';

const DAY = 24 * 60 * 60 * 1000;
/** Of one receipt, in bytes. A longer one is not kept. */
const LONGEST = 64 * 1024;
const PURPOSE = 'cloud-terminal receipts 1';
const COPIES = ['customer', 'merchant'] as const;
const NONE = { kind: 'none', value: '' } as const;

type Copy = (typeof COPIES)[number];

/**
 * The receipts of one environment: the latest in memory, and in the journal those that its settings allow to keep. There
 * they lie encrypted: the secret of the environment alone opens them, each for its own operation.
 */
export class EnvironmentReceipts implements KeptReceipts {
  private journal: Pick<Journal, 'receipts'> | undefined;
  private seal: Seal | undefined;
  private writing: Promise<unknown> = Promise.resolve();
  private isFailing = false;

  /** @param onError called where they cannot be kept: the payment itself is recorded all the same */
  constructor(
    private readonly settings: Pick<EnvironmentSettings, 'keepReceipts' | 'receiptDays' | 'callbackSecret'>,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Keeps receipts in this journal from now on. Undefined where the settings keep none. */
  async use(journal: Pick<Journal, 'receipts'>): Promise<KeptReceipts | undefined> {
    const { keepReceipts, callbackSecret } = this.settings;
    if (!keepReceipts) return undefined;
    const { Seal, newNonce } = loadCore();
    this.seal ??= new Seal(callbackSecret, PURPOSE, newNonce);
    this.journal = journal;
    return journal.receipts === undefined ? undefined : this;
  }

  /** Notes the receipts of a delivered result, in memory only. */
  note({ operationId, receipts }: Pick<ResultPayload, 'operationId' | 'receipts'>): void {
    const fitting = fitted(receipts);
    if (fitting !== undefined) noteRecent(operationId, fitting);
  }

  /**
   * Notes the receipts of a result that is about to be recorded or was fetched again: in memory, and in the journal where
   * the environment keeps them.
   */
  keep(operationId: string, receipts: Receipts): void {
    const fitting = fitted(receipts);
    if (fitting === undefined) return;
    noteRecent(operationId, fitting);
    const { seal, journal } = this;
    if (seal === undefined || journal?.receipts === undefined) return;
    const sealed = this.sealed(seal, operationId, fitting);
    const kept = journal.receipts.keep(operationId, sealed, this.settings.receiptDays * DAY).then(
      () => this.noteKept(),
      (error) => this.noteKept(error),
    );
    this.writing = Promise.all([this.writing, kept]);
  }

  /** Undefined where there are none any more. @throws JournalError */
  async of(operationId: string): Promise<Receipts | undefined> {
    const recent = recentReceipts(operationId);
    if (recent !== undefined || this.seal === undefined) return recent;
    const kept = await this.journal?.receipts?.find(operationId);
    return (
      kept && {
        customer: this.opened(operationId, 'customer', kept),
        merchant: this.opened(operationId, 'merchant', kept),
      }
    );
  }

  /** Resolves once nothing is written any more. */
  async settled(): Promise<void> {
    await this.writing;
  }

  /** A journal that cannot be written is tried again and again: that is reported once. */
  private noteKept(error?: Error): void {
    if (error !== undefined && !this.isFailing) this.onError(error);
    this.isFailing = error !== undefined;
  }

  private sealed(seal: Seal, operationId: string, receipts: Receipts): SealedReceipts {
    const entries = COPIES.filter((copy) => receipts[copy].kind !== 'none').map((copy): [Copy, Sealed] => [
      copy,
      seal.close(JSON.stringify(receipts[copy]), about(operationId, copy)),
    ]);
    return Object.fromEntries(entries);
  }

  /** Kind `none` where the secret has changed since. */
  private opened(operationId: string, copy: Copy, { [copy]: sealed }: SealedReceipts): Receipts[Copy] {
    const text = sealed && this.seal?.open(sealed, about(operationId, copy));
    return text === undefined ? NONE : JSON.parse(text);
  }
}

function about(operationId: string, copy: Copy): string {
  return `${operationId} ${copy}`;
}

/** Without those that are too long; undefined where none are left. */
function fitted({ customer, merchant }: Receipts): Receipts | undefined {
  const fitting = { customer: fittedOne(customer), merchant: fittedOne(merchant) };
  return COPIES.some((copy) => fitting[copy].kind !== 'none') ? fitting : undefined;
}

function fittedOne(receipt: Receipts[Copy]): Receipts[Copy] {
  return Buffer.byteLength(receipt.value) > LONGEST ? NONE : receipt;
}
