import { WATCH_LIMIT } from '../../../src/core/base/timings.js';
import type { FaultKind, LedgerEntry } from '../../../src/simulator/index.js';
import type { Asked } from '../flow.js';
import { type State, stateOf } from '../follow-ups.js';
import { type Balance, balanceOf, CHARGING, chainEntries, isSame, NOTHING } from '../ledger.js';
import type { Chain } from '../play.js';
import type { World } from '../world.js';

/** One message, and what the ledger has of it. */
export interface Case {
  asked: Asked;
  /** Its own entries, oldest first. */
  own: readonly LedgerEntry[];
  /** Everything about the payment, whoever made it. */
  all: readonly LedgerEntry[];
  /** The ledger's length when the flow asked for the next thing about the payment, or at the end. */
  until: number;
  /** What success adds; undefined where what was told says it. */
  effect: Balance | undefined;
}

export function casesOf(world: World, { root, links, isMixed }: Chain): Case[] {
  const { bank } = world.simulator;
  const all = chainEntries(bank, root.id);
  const isOurs = (entry: LedgerEntry): boolean =>
    !world.others.hasMade(entry) && !ranOut(entry) && !cameAfterWatch(entry, root);
  const ours = all.filter(isOurs);
  const theirs = all.filter((entry) => world.others.hasMade(entry));
  const end = bank.entries().length;
  const claimed = new Set<LedgerEntry>();
  const makers = new Map(ours.map((entry) => [entry, isMixed ? makerOf(entry, links) : undefined]));
  return links.map(({ asked, effect }, place) => {
    const until = links[place + 1]?.asked.ledger ?? end;
    const isIn = ({ seq }: LedgerEntry): boolean => seq > asked.ledger && seq <= until;
    const made = ours.filter((entry) => (makers.get(entry) ?? (isIn(entry) ? asked : undefined)) === asked);
    const own = isMixed ? made : made.filter((entry) => isTold(entry, asked) || !wasReplaced(entry, made, theirs));
    // Of two that were asked for at once each met what the one that came first had left.
    const first = (isMixed ? entryOf(asked, all, ours) : undefined) ?? own[0];
    // Of two equal tips or reversals at once the second changes nothing.
    const isSecond = first !== undefined && isMixed && claimed.has(first);
    if (first !== undefined) claimed.add(first);
    const before = stateBefore(all, isSecond ? first.seq + 1 : (first?.seq ?? asked.ledger + 1), root);
    const done = asTaken(
      effect?.(before, (amount) => surchargeOn(amount, world)),
      asked,
      own,
      world,
    );
    return { asked, own, all, until, effect: wasDoneByAnother(asked, own, all, done, world, isMixed) ? NOTHING : done };
  });
}

/**
 * What went back of the payment shows in its state alone: nobody can say how much that was. Nor can anybody where it is called
 * cancelled beside what went back of it.
 */
export function isReturnUnlisted({ variants }: World, { all }: Case): boolean {
  const { returnEntry, cancelledInPart } = variants;
  const isUnsaid = returnEntry === 'in-payment' || cancelledInPart === 'yes';
  return isUnsaid && all.some(({ kind }) => kind === 'refund' || kind === 'reversal');
}

/** Whose it is, where that can be seen: of a charge by its mark, and else by what the flow was told. */
function makerOf(entry: LedgerEntry, links: Chain['links']): Asked | undefined {
  const isMarked = ({ asked }: Chain['links'][number]): boolean =>
    CHARGING.has(entry.kind) && entry.customerReference === asked.id;
  return (links.find(({ asked }) => isTold(entry, asked)) ?? links.find(isMarked))?.asked;
}

/** Of several attempts the one that the flow was told of in the end. */
function isTold({ transactionId }: LedgerEntry, { heard }: Asked): boolean {
  return heard.at(-1)?.telling.payload.transactionId === transactionId;
}

/** Another system took back what an attempt had charged, or what our own terminal left of it, and the next attempt came after that. */
function wasReplaced(entry: LedgerEntry, own: readonly LedgerEntry[], theirs: readonly LedgerEntry[]): boolean {
  const attempt = CHARGING.has(entry.kind) ? entry.transactionId : entry.originalId;
  const next = own.find(
    ({ kind, seq, transactionId }) => CHARGING.has(kind) && seq > entry.seq && transactionId !== attempt,
  );
  const isOfIt = ({ transactionId, originalId, seq }: LedgerEntry): boolean =>
    (transactionId === attempt || originalId === attempt) && seq < (next?.seq ?? 0);
  return theirs.some(isOfIt) && isSame(balanceOf([...own, ...theirs].filter(isOfIt)), NOTHING);
}

/** The entry that the flow was told of: of a tip, which has no id of its own, the latest one since it was asked for. */
function entryOf(
  { heard, ledger: before }: Asked,
  all: readonly LedgerEntry[],
  ours: readonly LedgerEntry[],
): LedgerEntry | undefined {
  const { telling, ledger = 0 } = heard.at(-1) ?? {};
  const { transactionId: told, operation } = telling?.payload ?? {};
  if (operation === 'tip-adjustment') {
    const tips = all.filter(({ kind, seq }) => kind === 'tip' && seq > before && seq <= ledger);
    // One that was sent again is an entry that moves nothing.
    return tips.findLast(({ moved }) => moved !== 0) ?? tips.at(-1);
  }
  // A change of a hold may be told with the id of the hold.
  const entry = all.find(({ transactionId, kind }) => transactionId === told && kind !== 'hold');
  return entry === undefined || !isRepetition(entry)
    ? entry
    : (ours.findLast((one) => one.seq > before && isSentAgain(one, entry)) ?? entry);
}

/** A reversal that was sent again is an entry that moves nothing: what it did is in the one before. */
function isRepetition({ kind, moved, held }: LedgerEntry): boolean {
  return kind === 'reversal' && moved === 0 && held === 0;
}

function isSentAgain(before: LedgerEntry, { seq, originalId }: LedgerEntry): boolean {
  return before.kind === 'reversal' && before.seq < seq && before.originalId === originalId && !isRepetition(before);
}

/** What makes the service take, or change, less of a hold than was asked for; it says so. */
const TAKES_LESS: Readonly<Record<string, FaultKind>> = {
  'preauthorization/capture': 'capture-took-less',
  'preauthorization/increase': 'increase-took-less',
};

function asTaken(
  done: Balance | undefined,
  { request }: Asked,
  [entry]: readonly LedgerEntry[],
  { simulator }: World,
): Balance | undefined {
  const fault = request.kind === 'back-office' ? TAKES_LESS[request.order.operation] : undefined;
  const hasStruck = fault !== undefined && simulator.faults.counts()[fault] !== undefined;
  if (done === undefined || entry === undefined || !hasStruck) return done;
  const { moved, held } = entry;
  const isLess = Math.abs(moved) <= Math.abs(done.moved) && Math.abs(held) <= Math.abs(done.held);
  return isLess ? { moved, held } : done;
}

/** Where the service takes a surcharge, 3 %. */
function surchargeOn(amount: number, { variants }: World): number {
  return variants.surcharge === 'on-top' ? Math.ceil((amount * 3) / 100) : 0;
}

/** How far the status service may be behind what another till has done: a look at the chain right before need not show it. */
const UNSEEN = 20_000;

/** Where an equal increase soon after another is the same one, nothing is left for ours to do; nor is it where a reversal is. */
function wasDoneByAnother(
  asked: Asked,
  own: readonly LedgerEntry[],
  all: readonly LedgerEntry[],
  done: Balance | undefined,
  world: World,
  isMixed: boolean,
): boolean {
  if (done === undefined || own.length > 0 || isSame(done, NOTHING)) return false;
  const asGood = all.filter((entry) => isAsGoodAsOurs(entry, asked, world));
  // A later reversal takes the place of one before it: the whole may have gone back in two.
  if (asGood.some((entry) => isSame(entry, done)) || isSame(balanceOf(asGood), done)) return true;
  if (world.variants.repeatedIncrease !== 'once' || done.held === 0) return false;
  // Of two that were asked for at once the entry of the other may be this one's.
  const isOther = (entry: LedgerEntry): boolean => !isMixed || world.others.hasMade(entry);
  return all.some((entry) => entry.kind === 'hold-change' && entry.held === done.held && isOther(entry));
}

/**
 * A reversal at the gateway carries no mark, and sent twice it is done once. Whose it was nobody can know after a lost answer,
 * unless the chain showed it before ours was sent, or it came after the flow had been told.
 */
function isAsGoodAsOurs(entry: LedgerEntry, { id, at, request, heard }: Asked, world: World): boolean {
  const { others, inspector, disk, forgotten } = world;
  if ((entry.kind !== 'reversal' && entry.kind !== 'release') || !others.hasMade(entry)) return false;
  if (isMarkedByAnother(entry, world)) return false;
  const record = disk.of(id);
  // What a process took up so late that it may have been sent is looked for in the same way.
  const isOpen = inspector.leavesOpen(id) || forgotten.has(id) || record?.state.perhapsSent === true;
  if (request.kind !== 'back-office' || !isOpen) return false;
  const wasSeen = record?.kind === 'back-office' && record.state.baseline !== undefined && entry.at < at - UNSEEN;
  const told = heard.findLast(({ telling }) => telling.payload.final);
  return !wasSeen && (told === undefined || entry.at <= told.at);
}

/** A terminal marks what it takes back, and the service shows the mark: that it is not what the gateway has made is plain. */
export function isMarkedByAnother(
  { originalId, customerReference }: LedgerEntry,
  { simulator, variants }: World,
): boolean {
  const original = simulator.bank.entries().find(({ transactionId }) => transactionId === originalId);
  return variants.customerReference !== 'empty' && customerReference !== original?.customerReference;
}

/** A hold that nobody used: the bank lets it go by itself. */
function ranOut({ kind, originalId }: LedgerEntry): boolean {
  return kind === 'release' && originalId === '';
}

/** A terminal that was switched off for longer than anybody watches takes back what it did itself, and nobody hears of it. */
export function cameAfterWatch({ kind, serial, customerReference, at }: LedgerEntry, root: Asked): boolean {
  const isOwn = (kind === 'reversal' || kind === 'release') && serial !== '' && customerReference === root.id;
  return isOwn && at > root.at + WATCH_LIMIT;
}

function stateBefore(entries: readonly LedgerEntry[], seq: number, { heard }: Asked): State {
  const payment = heard.findLast(({ telling }) => telling.payload.transactionId !== '')?.telling.payload.transactionId;
  return stateOf(
    entries.filter((entry) => entry.seq < seq),
    payment ?? '',
  );
}

/** The whole of an entry had gone back before the ledger was so long. */
export function hadGoneBack(entry: LedgerEntry, own: readonly LedgerEntry[], ledger: number): boolean {
  const about = own.filter(({ originalId, seq }) => originalId === entry.transactionId && seq <= ledger);
  return about.length > 0 && isSame(balanceOf([entry, ...about]), NOTHING);
}
