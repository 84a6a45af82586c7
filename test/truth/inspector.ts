import { AnswerLostError, NotSentError } from '../../src/core/base/errors.js';
import { REDACTED } from '../../src/core/base/privacy/redact.js';
import type { HttpAnswer, HttpRequest } from '../../src/core/base/seams.js';
import type { BackOfficeRecord, OperationRecord, TerminalRecord } from '../../src/core/journal/record.js';
import type { Charge } from '../../src/core/lifecycle/terminal/event.js';
import { isDeep } from './deep.js';
import type { Disk } from './disk.js';

/** Stands between the engine and the service, and sees what no ledger shows: order, repetition, haste. */

type Fate = 'certain' | 'open';

const SECOND = 1000;
const PER_SECOND = 2;
/** From when on the person who asked for it has gone, ms. */
const STALE_AFTER = 60 * SECOND;
const BACK_OFFICE_STALE_AFTER = 900 * SECOND;
/** What adds up, or charges anew: never sent again after an answer that left anything open. */
/** What replaces an amount or gives money back may undo what somebody else did since: it goes again within a minute, or not at all. */
const GIVES_BACK = /reversal$|\/capture$|\/tip-adjustment$/;
/** And a journal that takes its time. */
const LATEST_AGAIN = 65_000;
/** A tip that was approved too soon after its sale goes again once that is a minute old, and within another minute. */
const LATEST_AFTER_EARLY = 60_000 + LATEST_AGAIN;
const NEVER_AGAIN = ['/preauthorization/increase', '/moto/sale', '/moto/refund'];
/** What changes nothing, and is asked for a close too. */
const BATCH_READS = ['/batch/summary', '/batch/detail'];
const BEGUN = /"(transactionResultId|finStatus)":/;
const TERMINAL_REFUSALS = /"?(100[1-5]|3109)"?/;

export class Inspector {
  readonly violations: string[] = [];
  /** Transactions that a policy wanted taken back and that the service found beyond it (3153) from the first, by their id. */
  readonly beyondReversal = new Set<string>();
  /** Messages of which a request went to another service than the one that knows our key, and to that one. */
  readonly sentElsewhere = new Set<string>();
  /** How many requests of a message its own service got, and did not refuse. */
  private readonly sentHome = new Map<string, number>();
  /** References of attempts that were answered with a refusal: where the service runs a request twice, one may have begun. */
  readonly refused = new Set<string>();
  /** Transactions that the engine asked by itself to be taken back, and when, epoch ms. */
  readonly askedBack = new Map<string, number[]>();
  /** Those of which an answer that arrived accepted that. */
  readonly heardBack = new Set<string>();
  /** Those that it refused to take back for what the request said. */
  private readonly wronglyReversed = new Set<string>();
  /** Requests that count against the rate limit of a key, epoch ms. */
  private readonly recent = new Map<string, number[]>();
  private readonly references = new Set<string>();
  private readonly attempts = new Map<string, { fate: Fate; at: number }[]>();

  constructor(
    private readonly diskNow: () => Disk,
    /** The transaction of an attempt, whether its result named it or not. */
    private readonly transactionOf: (charge: Charge) => string | undefined,
    private readonly baseUrl: string,
    private readonly ownKeys: readonly string[],
    private readonly now: () => number,
    /** A record's times are those of the world. */
    private readonly clockIsRight: () => boolean,
    /** The machine slept, and nothing shows for how long. */
    private readonly hasSleptUnseen: () => boolean,
  ) {}

  private get disk(): Disk {
    return this.diskNow();
  }

  /** One request on its way out; the answer is told to what it returns. */
  request({ method, url, headers, body = '{}' }: HttpRequest): (answer: HttpAnswer | Error) => void {
    const path = url.slice(this.baseUrl.length);
    if (method !== 'POST' || path.startsWith('/devices')) return () => undefined;
    this.rate(headers.ApiKeyCloud ?? '');
    const sent = JSON.parse(body) as Record<string, unknown>;
    const { operation } = sent;
    if (operation === 'stopCurrentTransaction' || operation === 'pingDevice') return () => undefined;
    if (BATCH_READS.includes(path)) return () => undefined;
    this.reference(sent.transactionReference);
    if (path === '/reversal' && this.isByPolicy(sent)) {
      const id = String(sent.originalGuid);
      this.askedBack.set(id, [...(this.askedBack.get(id) ?? []), this.now()]);
      return (answer) => this.policyReversal(sent, answer);
    }
    const record = path === '/transactions' ? this.terminalRecord(sent) : this.backOfficeRecord(path, sent);
    const attempt = { fate: 'open' as Fate, at: this.now() };
    if (record === undefined) return () => undefined;
    const isHome = this.ownKeys.includes(headers.ApiKeyCloud ?? '');
    if (isHome) this.countHome(record, 1);
    else this.sentElsewhere.add(idOf(record));
    const earlier = this.attempts.get(record.operationId) ?? [];
    const closesWhateverIsOpen = path === '/batch/close' && sent.batchNumber === undefined;
    const mayRepeat = record.kind === 'back-office' && !NEVER_AGAIN.includes(path) && !closesWhateverIsOpen;
    if (!mayRepeat && earlier.some(({ fate }) => fate === 'open')) {
      this.violations.push(`${path} of ${idOf(record)} was sent again after an answer that left it open`);
    }
    const lost = earlier.find(({ fate }) => fate === 'open');
    const isEarly = record.kind === 'back-office' && record.state.approved === 'early';
    const latest = (lost?.at ?? 0) + (isEarly ? LATEST_AFTER_EARLY : LATEST_AGAIN);
    if (lost !== undefined && GIVES_BACK.test(path) && attempt.at > latest && !this.hasSleptUnseen())
      this.violations.push(
        `${path} of ${idOf(record)} was sent again ${(attempt.at - lost.at) / 1000} s after it was sent first`,
      );
    if (record.kind === 'terminal' || earlier.length === 0) this.begun(record);
    this.attempts.set(record.operationId, [...earlier, attempt]);
    return (answer) => {
      attempt.fate = fateOf(path, answer);
      const isRefusal = attempt.fate === 'certain' && !(answer instanceof Error);
      if (isRefusal && isHome) this.countHome(record, -1);
      if (isRefusal && typeof sent.transactionReference === 'string') this.refused.add(sent.transactionReference);
    };
  }

  /** Its own service may have done what a message asked for. */
  maybeDoneHome(id: string): boolean {
    return (this.sentHome.get(id) ?? 0) > 0;
  }

  private countHome(record: OperationRecord, change: number): void {
    const id = idOf(record);
    this.sentHome.set(id, (this.sentHome.get(id) ?? 0) + change);
  }

  /** Whether the latest try of a message was answered with something that leaves open what it did. */
  leavesOpen(id: string): boolean {
    const record = this.disk.of(id);
    return (this.attempts.get(record?.operationId ?? '') ?? []).some(({ fate }) => fate === 'open');
  }

  /** A callback that the engine has acknowledged. One that says "in progress" says nothing that would have to be kept. */
  acknowledged(attemptId: string, body: string): void {
    if (/"finStatus":"IN_PROGRESS"/.test(body)) return;
    const record = this.disk.byReference(attemptId);
    if (record?.kind !== 'terminal') this.violations.push(`a callback for ${attemptId} was taken, and nobody knows it`);
    else if (
      record.state.phase !== 'closed' &&
      !knows(record.state, attemptId) &&
      !this.disk.keepsCallback(attemptId)
    ) {
      this.violations.push(`the callback of ${idOf(record)} was acknowledged before the journal had it`);
    }
  }

  /** A callback that was answered with 404: only what nobody sent for an operation of ours may be. */
  notFound(attemptId: string, body: string): void {
    const record = this.disk.byReference(attemptId);
    if (record?.kind === 'terminal' && !this.disk.deleted.has(record.operationId) && isReadable(body))
      this.violations.push(`the callback of ${idOf(record)} was answered as that of nobody`);
  }

  private rate(key: string): void {
    const now = this.now();
    const recent = [...(this.recent.get(key) ?? []).filter((at) => at > now - SECOND), now];
    this.recent.set(key, recent);
    if (recent.length > PER_SECOND) this.violations.push(`${recent.length} requests within a second`);
  }

  private reference(reference: unknown): void {
    if (typeof reference !== 'string') return;
    if (this.references.has(reference)) this.violations.push(`the reference ${reference} was used twice`);
    this.references.add(reference);
  }

  /** When a request of an operation left first, epoch ms. */
  firstSentAt(operationId: string): number | undefined {
    return this.attempts.get(operationId)?.[0]?.at;
  }

  private triesOf(operationId: string): number {
    return this.attempts.get(operationId)?.length ?? 0;
  }

  /** Nothing is begun long after it was asked for. */
  private begun(record: OperationRecord): void {
    const { startedAt } = record.state;
    const limit =
      record.kind === 'terminal' ? Math.max(record.state.policies.busyWaitMs, STALE_AFTER) : BACK_OFFICE_STALE_AFTER;
    const age = this.now() - startedAt;
    if (age > limit + SECOND && this.clockIsRight())
      this.violations.push(`${idOf(record)} was begun ${Math.round(age / SECOND)} s after it was asked for`);
  }

  private terminalRecord(sent: Record<string, unknown>): TerminalRecord | undefined {
    const record = this.disk.of(String(sent.customerReference));
    if (record?.kind !== 'terminal' || record.state.phase !== 'sending') {
      this.violations.push(`${sent.customerReference} was sent before the journal had it`);
      return undefined;
    }
    const attempt = record.references.at(-1);
    const address = String(sent.callbackUrl ?? attempt);
    if ((sent.transactionReference ?? attempt) !== attempt || !address.endsWith(String(attempt))) {
      this.violations.push(`${idOf(record)} was sent under a reference that the journal does not have`);
    }
    return record;
  }

  /** The engine takes back what a flow's policy does not accept. */
  private isByPolicy({ originalGuid }: Record<string, unknown>): boolean {
    return [...this.disk.durable.values()].some((record) => {
      if (record.kind !== 'terminal' || record.state.reversing === undefined) return false;
      const { references, state } = record;
      const latest = { reference: references.at(-1) ?? '', transactionId: state.transactionId };
      return this.transactionOf(state.reversing?.second ?? latest) === originalGuid;
    });
  }

  private policyReversal({ originalGuid }: Record<string, unknown>, answer: HttpAnswer | Error): void {
    if (answer instanceof Error || answer.status >= 500 || answer.status === 429) return;
    const id = String(originalGuid);
    if (answer.status === 200) this.heardBack.add(id);
    if (!/"code":"(3153|3051)"/.test(answer.body) && answer.status !== 200) this.wronglyReversed.add(id);
    if (/"code":"3153"/.test(answer.body) && !this.wronglyReversed.has(id)) this.beyondReversal.add(id);
  }

  private backOfficeRecord(path: string, sent: Record<string, unknown>): BackOfficeRecord | undefined {
    const { transactionReference, ...asked } = sent;
    const records = [...this.disk.durable.values()].filter(
      (known): known is BackOfficeRecord =>
        known.kind === 'back-office' && known.state.phase === 'sending' && isFor(known, path, asked),
    );
    // Of several that ask for the same, the one whose latest try has not left yet.
    const record = records.find(({ state, operationId }) => this.triesOf(operationId) < state.tries) ?? records[0];
    if (record === undefined) this.violations.push(`${path} was sent before the journal had it`);
    else if (transactionReference !== undefined && transactionReference !== record.references.at(-1)) {
      this.violations.push(`${idOf(record)} was sent under a reference that the journal does not have`);
    }
    return record;
  }
}

function idOf({ origin }: OperationRecord): string {
  return String(origin.message._msgid);
}

function isFor({ request }: BackOfficeRecord, path: string, asked: Record<string, unknown>): boolean {
  const { body } = request;
  if ('transactionID' in body) return path.includes(body.transactionID);
  return (
    path === `/${request.operation}` &&
    Object.entries(asked).every(([name, value]) => [value, REDACTED].includes(body[name as keyof typeof body]))
  );
}

/** It says how something ended, and is not nested beyond what anybody reads. */
function isReadable(body: string): boolean {
  return /"finStatus":"\w+"/.test(body) && !isDeep(body);
}

/** Whether an answer leaves open what became of the request. */
function fateOf(path: string, answer: HttpAnswer | Error): Fate {
  if (answer instanceof NotSentError) return 'certain';
  if (answer instanceof AnswerLostError || answer instanceof Error) return 'open';
  const { status, body } = answer;
  if (status === 429 || ((status === 403 || status === 422) && /"error"/.test(body))) return 'certain';
  if (path === '/transactions') {
    // A terminal number refuses under any status, unless the body says as well that something has begun.
    if (TERMINAL_REFUSALS.test(body) && (status >= 300 || !BEGUN.test(body))) return 'certain';
    return status === 404 || status === 409 ? 'certain' : 'open';
  }
  return (status === 400 && isObject(body)) || status === 404 ? 'certain' : 'open';
}

/** What cannot be read refuses nothing. */
function isObject(body: string): boolean {
  try {
    return /^\s*\{/.test(body) && !isDeep(body) && typeof JSON.parse(body) === 'object';
  } catch {
    return false;
  }
}

/** The record says what the callback of an attempt said. */
function knows(
  {
    terminal,
    approvedEarlier,
    otherApproved,
    earlier,
    takenUp,
    reversing,
    earlierResults = {},
  }: TerminalRecord['state'],
  attemptId: string,
): boolean {
  // One after the other goes back as the status service shows it, whatever their own results say.
  if (earlier?.meaning === 'approved') return true;
  const known = [approvedEarlier?.reference, takenUp, reversing?.second?.reference, ...Object.keys(earlierResults)];
  return terminal !== undefined || otherApproved !== undefined || known.includes(attemptId);
}
