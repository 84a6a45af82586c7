import type { Client } from '../../api/client.js';
import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { Abort, type Signal } from '../../base/abort.js';
import { PaymentError } from '../../base/errors.js';
import { withoutAbsent } from '../../base/objects.js';
import type { Clock } from '../../base/seams.js';
import { GLANCE_WAIT, SECOND_LOOK, SETTLING_LAG, STATUS_LAG } from '../../base/timings.js';
import type { Journal } from '../../journal/journal.js';
import { type BackOfficeRecord, waitsForTurn } from '../../journal/record.js';
import { entryMismatch } from '../../lifecycle/back-office/amounts.js';
import { isNewTip } from '../../lifecycle/back-office/early-tip.js';
import { confirmed } from '../../lifecycle/back-office/other-amount.js';
import type { Reply } from '../../lifecycle/back-office/reply.js';
import { RULES } from '../../lifecycle/back-office/rules.js';
import { type BackOfficeEvent, provenFrom } from '../../lifecycle/back-office/state.js';
import { answeredProof } from '../../lifecycle/chain/answered-proof.js';
import {
  type Baseline,
  baselineOf,
  idsIn,
  type Proof,
  proofIn,
  withOwn,
} from '../../lifecycle/chain/chain-evidence.js';
import { ownProof } from '../../lifecycle/chain/own-proof.js';
import { entryIn, isHold } from '../../lifecycle/chain/shape.js';
import { soughtAtGateway } from '../../lifecycle/chain/sought.js';
import { takenBackIn } from '../../lifecycle/chain/taken-back.js';
import { wholeIn } from '../../lifecycle/chain/whole.js';
import { attemptReference } from '../../operation/attempt-reference.js';
import { hasOwnReference, isBatchClose, originalOf } from '../../operation/back-office-order.js';
import { isReversal, kindOf } from '../../operation/kinds.js';
import { needsChange } from '../../operation/retry.js';
import { chainReferenceOf } from '../../original/chain-reference.js';
import { sleep } from '../../platform/sleep.js';
import { HAS_TO_SHOW, lastChange } from '../last-change.js';
import { madeByOthers } from '../others-in-chain.js';
import { askSummary, newestBatch, shownIn } from './batch-evidence.js';
import { wentBackIn } from './too-much-back.js';

/** What proves how an operation ended: an entry of the chain, or the summary of a batch. */
export interface BackOfficeEvidence {
  event: BackOfficeEvent & { type: 'proof' };
  entry?: TransactionResult;
  /** Of the attempt that it is about, where the journal does not know that attempt. */
  reference?: string;
  reply?: Reply;
}

const BASELINE_PAUSE = 2000;
const BASELINE_WAIT = 15_000;

/** Asks the service and the journal before an operation is sent, and after its answer was lost. */
export class BackOfficeProbes {
  constructor(
    private readonly client: Client,
    private readonly clock: Clock,
    private readonly journal: Journal,
    private readonly onLost: (error: PaymentError) => void,
  ) {}

  /**
   * The state before the operation is sent: what is there already cannot be proof of it later. Undefined where no
   * baseline is needed, or none can be had in time. @throws JournalError
   */
  async baseline(record: BackOfficeRecord, signal: Signal): Promise<Baseline | undefined> {
    const { state, request } = record;
    const { baseline } = RULES[state.operation];
    if (baseline === 'batch') return this.batchBaseline(record, signal);
    if (!state.traceable) return undefined;
    const giveUpAt = this.clock.now() + BASELINE_WAIT;
    if (hasOwnReference(request))
      return state.takenUp && this.untilAnswered(giveUpAt, signal, () => this.ownChain(record, signal));
    if (baseline === 'settled') return this.settledChain(record, giveUpAt, signal);
    const mayTakeBack = isReversal(request.operation) || request.operation === 'tip-adjustment';
    // What this journal has given back before has to show.
    const isNeeded = state.takenUp || (mayTakeBack && (await this.settling(record, signal)));
    if (baseline === undefined || !isNeeded) return baseline && this.chainAtOnce(record, signal);
    return this.untilAnswered(giveUpAt, signal, () => this.chainAtOnce(record, signal));
  }

  /**
   * What became of an operation; undefined where nobody can say at present.
   * @param disputed an answer that approves another amount than was asked for
   * @throws JournalError
   */
  async evidence(record: BackOfficeRecord, signal: Signal, disputed?: Reply): Promise<BackOfficeEvidence | undefined> {
    const askedAt = this.clock.now();
    const { batch } = record.state.baseline ?? {};
    return batch === undefined
      ? this.chainEvidence(record, askedAt, signal, disputed)
      : this.batchEvidence(record, batch, askedAt, signal);
  }

  /** The batch that is to be closed, where its number is known. @throws JournalError */
  private async batchBaseline(record: BackOfficeRecord, signal: Signal): Promise<Baseline | undefined> {
    const { request, environment } = record;
    const at = this.clock.now();
    if (!isBatchClose(request)) return undefined;
    if (request.body.batchNumber !== undefined) return { at, ids: [], batch: request.body.batchNumber };
    const batch = await newestBatch(this.journal, environment);
    if (batch === undefined) return undefined;
    const summary = await this.within(BASELINE_WAIT, this.summary(record, batch, signal));
    return summary && shownIn(summary) === 'open' ? { at, ids: [], batch } : undefined;
  }

  /** The chain as it is now, where it can be had without a long wait. */
  private async chainAtOnce(record: BackOfficeRecord, signal: Signal): Promise<Baseline | undefined> {
    const at = this.clock.now();
    const chain = await this.within(GLANCE_WAIT, this.chain(record, signal));
    const before = chain && (baselineOf(chain, originalOf(record.request), at) ?? { at, ids: idsIn(chain) });
    return before && this.orBackup(record, chain, { ...before, ...(await this.wholeBefore(record, chain, at)) });
  }

  /** What a reversal of the whole is going to take back: another system may have set a tip, or refunded. @throws JournalError */
  private async wholeBefore(
    record: BackOfficeRecord,
    chain: readonly TransactionResult[],
    at: number,
  ): Promise<Partial<Baseline>> {
    const original = entryIn(chain, originalOf(record.request));
    if (original === undefined || isHold(original) || !isReversal(record.operation)) return wentBackIn(record, chain);
    const whole = wholeIn(original, chain);
    const isBehind = at < (await lastChange(this.journal, record)) + SETTLING_LAG;
    return { ...(!isBehind && whole && { whole }), ...wentBackIn(record, chain) };
  }

  /** What the journal calls unsent may be in the chain already, if the journal is a backup. @throws JournalError */
  private async orBackup(
    record: BackOfficeRecord,
    chain: readonly TransactionResult[],
    before: Baseline,
  ): Promise<Baseline> {
    const { request, state } = record;
    if (!state.takenUp) return before;
    const sought = soughtAtGateway(request, entryIn(chain, originalOf(request))?.currency);
    return withOwn(before, chain, sought, await madeByOthers(this.journal, record, chain));
  }

  /** Whether what the journal calls unsent has a chain of its own already. */
  private async ownChain(record: BackOfficeRecord, signal: Signal): Promise<Baseline | undefined> {
    const at = this.clock.now();
    const chain = await this.chain(record, signal);
    return chain && { at, ids: idsIn(chain), ...(chain.length > 0 && { hasOwn: true as const }) };
  }

  /** The chain as it certainly was before this operation; undefined where it cannot be had in time. @throws JournalError */
  private async settledChain(
    record: BackOfficeRecord,
    giveUpAt: number,
    signal: Signal,
  ): Promise<Baseline | undefined> {
    await this.settling(record, signal);
    return this.untilAnswered(giveUpAt, signal, async () => {
      const askedAt = this.clock.now();
      const chain = await this.chain(record, signal);
      const before = chain && baselineOf(chain, originalOf(record.request), askedAt);
      return chain && before && this.orBackup(record, chain, { ...before, ...wentBackIn(record, chain) });
    });
  }

  /** Resolves once the chain shows what this journal has changed, with whether it has changed anything. @throws JournalError */
  private async settling(record: BackOfficeRecord, signal: Signal): Promise<boolean> {
    const changedAt = await lastChange(this.journal, record, HAS_TO_SHOW[kindOf(record.operation)]);
    const lag = changedAt + STATUS_LAG - this.clock.now();
    if (lag > 0) await sleep(this.clock, Math.min(lag, STATUS_LAG), signal);
    return changedAt > 0;
  }

  /** Asks until somebody answers; undefined from `giveUpAt` on, epoch ms. */
  private async untilAnswered(
    giveUpAt: number,
    signal: Signal,
    ask: () => Promise<Baseline | undefined>,
  ): Promise<Baseline | undefined> {
    while (!signal.aborted) {
      const before = await ask();
      if (before !== undefined || this.clock.now() >= giveUpAt) return before;
      await sleep(this.clock, BASELINE_PAUSE, signal);
    }
    return undefined;
  }

  private async batchEvidence(
    record: BackOfficeRecord,
    batch: string,
    askedAt: number,
    signal: Signal,
  ): Promise<BackOfficeEvidence | undefined> {
    const reply = await this.summary(record, batch, signal);
    const shown = reply && shownIn(reply);
    if (shown === undefined) return undefined;
    return shown === 'closed'
      ? { event: { type: 'proof', says: 'done', askedAt }, reply }
      : { event: { type: 'proof', says: 'absent', askedAt } };
  }

  private async chainEvidence(
    record: BackOfficeRecord,
    askedAt: number,
    signal: Signal,
    disputed: Reply | undefined,
  ): Promise<BackOfficeEvidence | undefined> {
    const known = await this.chain(record, signal);
    const isNone = known?.length === 0 && askedAt >= provenFrom(record.state);
    const later = isNone ? await this.chainOfLater(record, signal) : undefined;
    const { chain, reference } = later ?? { chain: known };
    if (chain === undefined) return undefined;
    const { request, references } = record;
    const asked = reference === undefined ? record : { ...record, references: [...references, reference] };
    const proof =
      record.state.answeredAt === undefined
        ? await this.proof(asked, chain, askedAt, disputed)
        : answeredProof(record.transactionId, chain);
    const isTip = request.operation === 'tip-adjustment' && proof.says === 'done' && disputed === undefined;
    if (isTip && record.state.approved !== 'early' && !(await this.isTipShownAgain(asked, signal))) return undefined;
    const { says, by: entry, ...more } = { by: undefined, ...proof };
    const original = originalOf(request);
    const takesBack =
      entry && original && isReversal(request.operation) ? takenBackIn(chain, entry, original) : undefined;
    // A hold may be let go as a whole, whatever amount was asked for.
    const isOwnAmount = original === undefined || takesBack === 'hold';
    const difference = entry && isOwnAmount ? entryMismatch(request, entry, record.state.baseline?.hold) : undefined;
    // The reversal of a capture has the type of a release.
    const kind = takesBack === 'money' ? undefined : entry?.type;
    const originalAt = entryIn(chain, original)?.efttimestamp;
    const isToBeChanged = (says === 'declined' && entry && needsChange(request.operation, entry)) || undefined;
    return {
      event: {
        type: 'proof',
        says,
        askedAt,
        ...withoutAbsent({ originalAt, kind, takesBack, difference, ...more, needsChange: isToBeChanged }),
      },
      // An answer that the chain bears out says how much was done: the entry of an increase may show the whole hold.
      ...withoutAbsent({ entry, reference, reply: 'difference' in proof ? disputed : undefined }),
    };
  }

  /** After a lost answer an older copy of the chain may show an equal tip from before, as it has no entry of its own: two have to. @throws JournalError */
  private async isTipShownAgain(record: BackOfficeRecord, signal: Signal): Promise<boolean> {
    await sleep(this.clock, SECOND_LOOK, signal);
    const askedAt = this.clock.now();
    const chain = await this.chain(record, signal);
    return chain !== undefined && (await this.proof(record, chain, askedAt, undefined)).says === 'done';
  }

  /** @throws JournalError */
  private async proof(
    record: BackOfficeRecord,
    chain: readonly TransactionResult[],
    askedAt: number,
    disputed: Reply | undefined,
  ): Promise<Proof> {
    const { request, state } = record;
    const original = originalOf(request);
    if (original === undefined) return ownProof(request.operation, chain, record.references);
    const payment = entryIn(chain, original);
    const sought = soughtAtGateway(request, payment?.currency);
    if (sought === undefined) return { says: 'unclear' };
    const others = await madeByOthers(this.journal, record, chain);
    // What anybody makes of a payment may bear the mark of that, so the same one tells nothing apart.
    const mark = sought.mark === payment?.customerReference ? undefined : sought.mark;
    const proof = proofIn(chain, { ...sought, mark }, state.baseline, others);
    if (proof.says === 'unclear' && disputed !== undefined)
      return confirmed(record, disputed, sought, chain, others) ?? proof;
    // A reversal of the gateway carries no mark: where it was refused, somebody else may have done it.
    const isUnmarked = proof.says === 'done' && sought.what === 'reversal';
    const wasRefused = state.decline?.refusal !== undefined;
    if (isUnmarked && (wasRefused || (await this.isOneOfSeveral(record)))) return { says: 'unclear' };
    const isTip = proof.says === 'done' && sought.what === 'tip' && !isNewTip(state, sought.amount);
    const mayBeStale = isTip && !(await this.showsLastTip(record, askedAt));
    if (mayBeStale) return { says: 'unclear' };
    // Where amounts add up, only a comparison with the baseline shows that one is absent.
    const isComparable = RULES[request.operation].baseline !== 'settled' || state.baseline !== undefined;
    return proof.says === 'absent' && !isComparable ? { says: 'unclear' } : proof;
  }

  /** A tip has no entry of its own by which it is known: a chain that lags may show the one that it was to replace. @throws JournalError */
  private async showsLastTip(record: BackOfficeRecord, askedAt: number): Promise<boolean> {
    return askedAt >= provenFrom(record.state) || askedAt >= (await lastChange(this.journal, record)) + SETTLING_LAG;
  }

  /** Another reversal of the same original may have made more than the journal knows of. @throws JournalError */
  private async isOneOfSeveral({ operationId, request }: BackOfficeRecord): Promise<boolean> {
    const others = await this.journal.find({ original: originalOf(request) ?? '' });
    return others.some((one) => {
      const isOther =
        one.operationId !== operationId && one.kind === 'back-office' && isReversal(one.request.operation);
      return isOther && !waitsForTurn(one) && (one.state.tries > 1 || leavesOpen(one));
    });
  }

  /** The chain of an attempt that a backup of the journal does not know; undefined where there can be none. */
  private async chainOfLater(
    { operationId, references, request, state }: BackOfficeRecord,
    signal: Signal,
  ): Promise<{ chain?: TransactionResult[] | undefined; reference?: string } | undefined> {
    const { unknownAttempts = 0 } = state;
    if (!hasOwnReference(request)) return undefined;
    for (let attempt = references.length + 1; attempt <= references.length + unknownAttempts; attempt++) {
      const reference = attemptReference(operationId, attempt);
      const chain = await this.answerOf(this.client.status.all(reference, { signal }));
      if (chain === undefined) return {};
      if (chain.length > 0) return { chain, reference };
    }
    return undefined;
  }

  /** The whole chain; undefined where it cannot be had at present. */
  private chain(record: BackOfficeRecord, signal: Signal): Promise<TransactionResult[] | undefined> {
    return this.answerOf(this.client.status.all(chainReferenceOf(record) ?? '', { signal }));
  }

  /** The summary of a batch; undefined where it cannot be had at present. */
  private async summary({ terminal }: BackOfficeRecord, batch: string, signal: Signal): Promise<Reply | undefined> {
    // It counts against the rate of the key, which another process may have by now.
    const mayStart = (): boolean => this.journal.mayAct();
    return terminal && this.answerOf(askSummary(this.client, terminal, batch, { signal, mayStart }));
  }

  /** An answer that the service does not give proves nothing, and is asked for again. */
  private async answerOf<T>(answer: Promise<T>): Promise<T | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      this.onLost(error);
      return undefined;
    }
  }

  /** An answer, unless it takes longer than `ms`. */
  private async within<T>(ms: number, answer: Promise<T | undefined>): Promise<T | undefined> {
    const answered = new Abort();
    try {
      return await Promise.race([answer, sleep(this.clock, ms, answered.signal).then(() => undefined)]);
    } finally {
      answered.abort();
    }
  }
}

/** Nobody knows what became of it. */
function leavesOpen({ state }: BackOfficeRecord): boolean {
  return state.phase !== 'closed' || state.reported === 'unknown';
}
