import type { Clock } from '../../src/core/base/seams.js';
import { OTHER_REFERENCE } from '../../src/simulator/index.js';
import { isDeep } from './deep.js';
import type { Disk } from './disk.js';

/** All that a result can say (spec: finStatus values), in every spelling of it. */
const DESCRIBED: ReadonlySet<string> = new Set([
  'IN_PROGRESS',
  'UNDEFINED',
  'AUTHORISED',
  'DECLINED',
  'FAILED',
  'CANCELLED',
  'PARTIAL_APPROVAL',
  'PARTIALLY_APPROVED',
  'REFUNDED',
  'PROCESSED',
  'CAPTURED',
]);
const SAID = /"finStatus":"([^"]*)"/g;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}/;
/** What is posted to us is in the journal once it is acknowledged; what was polled may die with its process. */
const POSTED = /^https:\/\/till\.example\//;
const OF_STATUS = /\/transactions\/([^/]+)\/status/;

/** A record says one of these once money has moved, or may have. */
const SHOWN = /"finStatus":"(AUTHORISED|PARTIAL_APPROVAL|PARTIALLY_APPROVED|REFUNDED|PROCESSED|CAPTURED|CANCELLED)"/;

/** A record says one of these while its end is open, or where something went back, and nobody says how much. */
const OPEN = /"finStatus":"(UNDEFINED|IN_PROGRESS|REFUNDED)"/;

/** The end of an attempt: it charged, or it did not. */
const ENDED = /"finStatus":"(AUTHORISED|PARTIAL_APPROVAL|PARTIALLY_APPROVED|PROCESSED|DECLINED|CANCELLED)"/;

/** It says which transaction it is about. */
const NAMED = /"(eft)?transactionID":"[^"]/i;

/** Each transaction of a chain. */
const LISTED = /"transactionID":"([^"]+)"/g;

/** An approval code that cannot be read: a "no" beside it may have been an approval. */
const HIDDEN_APPROVAL = /"(approval|authorisation)Code":[[{]/;

/** Nobody can say whose a result under it is. */
const UNSENT = `"transactionReference":"${OTHER_REFERENCE}"`;

/** The payment that an answer of the service names. */
const ABOUT = /"transactionReference":"([^"]+)"/;

/** An amount that is no number: whether the rest of the result is right nobody can say. */
const SPOILT_AMOUNT = /"totalAmount":"[^"]*[^\d"-]/;

function isDescribed(body: string): boolean {
  return (
    !HIDDEN_APPROVAL.test(body) &&
    !body.includes(UNSENT) &&
    [...body.matchAll(SAID)].every(([, finStatus = '']) => DESCRIBED.has(finStatus))
  );
}

/** Cut off in the middle, or nested without an end, it shows nothing. */
function isReadable(body: string): boolean {
  try {
    JSON.parse(body);
    return !isDeep(body);
  } catch {
    return false;
  }
}

/** What the service was asked, and has said, of each message. */
export class Witnesses {
  /** Where something was said that nobody has described: it may have been an approval. */
  private readonly unclear = new Set<string>();
  /** The same, and where what was said cannot be read as a result. */
  private readonly unreadable = new Set<string>();
  /** Ends of attempts that were posted to us, by address. */
  private readonly results = new Map<string, string[]>();
  /** Where the last answer left the end open. */
  private readonly open = new Set<string>();
  /** When the service was asked, and when it showed something. Epoch ms, by message. */
  private readonly questions = new Map<string, number[]>();
  private readonly shows = new Map<string, { at: number; answer: number; url: string; isNamed: boolean }[]>();
  /** When the status service showed a transaction, epoch ms. */
  private readonly shownAt = new Map<string, number[]>();
  /** How many answers and callbacks there have been. */
  answers = 0;
  /** In which lives of the process the status service was asked, and when last, epoch ms; by reference. */
  private readonly lives = new Map<string, Map<number, number>>();

  /** @param world its disk may be replaced by another */
  constructor(private readonly world: { readonly disk: Disk; readonly clock: Clock; readonly life: number }) {}

  /** @param url of the question */
  asked(url: string): void {
    const [, reference] = OF_STATUS.exec(url) ?? [];
    if (reference !== undefined)
      this.lives.set(reference, (this.lives.get(reference) ?? new Map()).set(this.world.life, this.world.clock.now()));
    for (const id of [...this.messagesIn(url), ...this.changesIn(url)])
      this.questions.set(id, [...(this.questions.get(id) ?? []), this.world.clock.now()]);
  }

  /** What was posted and not acknowledged was heard all the same. @param url of the callback */
  heard(url: string, body: string): void {
    const isSpoilt = POSTED.test(url) && !isReadable(body);
    if (isSpoilt || !isDescribed(body) || SPOILT_AMOUNT.test(body)) this.unreadable.add(url);
  }

  /** @param url of the question, or of the callback */
  said(url: string, body: string): void {
    if (this.isMisdelivered(url, body)) return;
    this.heard(url, body);
    const show = { at: this.world.clock.now(), answer: ++this.answers, url, isNamed: NAMED.test(body) };
    if (!isDescribed(body) || this.isOfNobody(url, body)) this.unclear.add(url);
    if (POSTED.test(url) && ENDED.test(body) && isReadable(body))
      this.results.set(url, [...(this.results.get(url) ?? []), body]);
    if (OPEN.test(body)) this.open.add(url);
    else this.open.delete(url);
    if (!SHOWN.test(body) || !isReadable(body)) return;
    if (OF_STATUS.test(url)) this.noteShown(body);
    for (const id of [...this.messagesIn(url), ...this.changesIn(url)])
      this.shows.set(id, [...(this.shows.get(id) ?? []), show]);
  }

  private noteShown(body: string): void {
    for (const [, id = ''] of body.matchAll(LISTED))
      this.shownAt.set(id, [...(this.shownAt.get(id) ?? []), this.world.clock.now()]);
  }

  /** Whether the status service had shown a transaction before a moment, epoch ms. */
  hadShown(transactionId: string, before: number): boolean {
    return this.wasShown(transactionId, 0, before - 1);
  }

  /** Whether it showed it between two moments, epoch ms, both included. */
  wasShown(transactionId: string, from: number, until: number): boolean {
    return (this.shownAt.get(transactionId) ?? []).some((at) => at >= from && at <= until);
  }

  /** An intermediary has delivered the response of another payment's question: of this one it says nothing. */
  private isMisdelivered(url: string, body: string): boolean {
    const asking = new Set([...this.messagesIn(url), ...this.changesIn(url)]);
    const sending = this.sendersOf(url, body);
    return sending !== undefined && sending.length > 0 && !sending.some((id) => asking.has(id));
  }

  /** The journal, which may be a backup, knows nobody whose response this is: to the engine that is a question. */
  private isOfNobody(url: string, body: string): boolean {
    return this.sendersOf(url, body)?.length === 0;
  }

  /** The messages of which the journal says that the response is about them; undefined where it names nothing else than its question. */
  private sendersOf(url: string, body: string): readonly string[] | undefined {
    const [, named = ''] = ABOUT.exec(body) ?? [];
    return POSTED.test(url) || named === '' || url.includes(named) ? undefined : this.messagesIn(named);
  }

  /** Whether one of its results says something that nobody has described. An attempt may be in the journal only later. */
  saidUnclear(id: string): boolean {
    return this.isAbout(this.unclear, id);
  }

  /** Whether one of its results cannot be read at all, or says something that nobody has described. */
  saidUnreadable(id: string): boolean {
    return this.isAbout(this.unreadable, id);
  }

  private isAbout(urls: ReadonlySet<string>, id: string): boolean {
    return [...urls].some((url) => this.messagesIn(url).includes(id));
  }

  /** Whether the terminal's own result said how this attempt ended, and was acknowledged. */
  hasResult(reference: string): boolean {
    return [...this.results].some(
      ([url, bodies]) => url.includes(reference) || bodies.some((body) => body.includes(reference)),
    );
  }

  /** Whether the status service left the end of an attempt open when it was asked last, of this message or of none that the journal knows. */
  leftOpen(id: string): boolean {
    return [...this.open].some((url) => {
      const messages = this.messagesIn(url);
      return OF_STATUS.test(url) && (messages.length === 0 || messages.includes(id));
    });
  }

  /** Whether the status service was asked for this reference in a life of the process. */
  wasAskedIn(life: number, reference: string): boolean {
    return this.lives.get(reference)?.has(life) === true;
  }

  /** The same in whatever life, at `time` (epoch ms) or later. */
  wasAskedSince(time: number, reference: string): boolean {
    return [...(this.lives.get(reference)?.values() ?? [])].some((at) => at >= time);
  }

  /**
   * Between these moments the service was asked, and lost every question or answer, or knew nothing yet. Epoch ms.
   * @param answers how many answers there had been then, where that is known more exactly
   * @param reference of the attempt in question: what is said of another one shows nothing of it
   */
  wasInVain(id: string, from: number, until: number, answers = Number.POSITIVE_INFINITY, reference = ''): boolean {
    const isBetween = (at: number): boolean => at >= from && at <= until;
    const [questions, shows] = [this.questions.get(id) ?? [], this.shows.get(id) ?? []];
    const isAboutOther = (url: string): boolean =>
      this.referencesOf(id).includes(reference) && !url.includes(reference) && UUID.test(url);
    const wasShown = shows.some(({ at, answer, url }) => isBetween(at) && answer <= answers && !isAboutOther(url));
    return questions.some(isBetween) && !wasShown;
  }

  /** Whether anybody had said by then what became of this attempt, and which transaction it is. @param until epoch ms */
  wasNamed(id: string, reference: string, until: number): boolean {
    return (this.shows.get(id) ?? []).some(({ at, url, isNamed }) => isNamed && at <= until && url.includes(reference));
  }

  /** When anybody last said which transaction one of its attempts is. @param until epoch ms @returns epoch ms, 0: never */
  lastNamed(id: string, until: number): number {
    const named = (this.shows.get(id) ?? []).filter(({ at, isNamed }) => isNamed && at <= until);
    return named.at(-1)?.at ?? 0;
  }

  private referencesOf(id: string): readonly string[] {
    const record = this.world.disk.of(id);
    return record?.kind === 'terminal' ? record.references : [];
  }

  /** Messages that ask a terminal to change the payment that is asked about. */
  private changesIn(url: string): string[] {
    const isMeant = (original: string | undefined): boolean => original !== undefined && url.includes(original);
    return [...this.world.disk.durable.values()]
      .filter((record) => record.kind === 'terminal' && isMeant(record.originalReference))
      .map(({ origin }) => String(origin.message._msgid));
  }

  private messagesIn(url: string): string[] {
    const isMeant = ({ references, resultId }: { references: readonly string[]; resultId?: string }): boolean =>
      references.some((reference) => url.includes(reference)) || url.endsWith(`/${resultId}`);
    return [...this.world.disk.durable.values()]
      .filter((record) => record.kind === 'terminal' && isMeant(record))
      .map(({ origin }) => String(origin.message._msgid));
  }
}
