import { JOURNAL_PATIENCE, PARTIAL_SETTLED, SETTLING_LAG } from '../../../src/core/base/timings.js';
import type { ResultPayload } from '../../../src/core/delivery/payload.js';
import type { Asked, Heard } from '../flow.js';
import {
  type Balance,
  balanceOf,
  balances,
  CHARGING,
  chainEntries,
  isOverReturned,
  isSame,
  isSomethingLeft,
  NOTHING,
  spelt,
} from '../ledger.js';
import type { World } from '../world.js';
import { type Case, hadGoneBack, isMarkedByAnother } from './case.js';
import { isBack, mostCharges, withUndone } from './charges.js';
import { isForeseen, isTakenBackThere, mayStay, secondCharge } from './second-charge.js';
import { isIgnoredTip, replacesAnothers } from './too-much-back.js';

const SECOND = 1000;
/** How soon a correction follows a charge that comes after a "no" which was not final. */
const CORRECTION = 30 * SECOND;
const ANSWER = 5 * SECOND;
/** How often the status service is asked in the first minutes. */
const EVERY = 10 * SECOND;
/** What it takes to hand over what is told, on a slow disk. */
const WRITING = 5 * SECOND;
/** What was told may rest on a status so old. */
const STATUS_AGE = 60 * SECOND;
/** What the journal could not take it is given once more within this time, and some to write it. */
const SAVED_AGAIN = 6 * SECOND;
export const QUESTIONS: ReadonlySet<string> = new Set(['unknown', 'provisional']);
const GIVING_BACK = new Set(['refund', 'moToRefund', 'moto/refund']);
const HOLDING = new Set(['preAuthorization', 'moToPreAuthorization']);
/** Nobody knows then whether it was done. */
const LOST: ReadonlySet<string> = new Set(['answer-lost', 'reconciliation-started']);
/** What the journal could not take is told as this, and as nothing else. */
export const JOURNAL_UNAVAILABLE = 'JOURNAL_UNAVAILABLE';

/** What was told holds from then on. */
export function* truth(world: World, one: Case): Generator<string> {
  const { asked, own, until } = one;
  if (replacesAnothers(world, one) || isIgnoredTip(world, one)) return;
  if (mostCharges(own) > 1 && isForeseen(world, asked, own)) {
    yield* secondCharge(world, one);
    return;
  }
  const charges = mostCharges(withUndone(world, one));
  if (charges > 1) yield `${charges} charges for one message`;
  for (const [place, told] of asked.heard.entries()) {
    const { telling, ledger } = told;
    if (takesForItsOwn(world, one, told)) continue;
    if (telling.exit === 'mistake' && telling.payload.moneyMoved !== 'no') yield 'a mistake that moved money';
    if (tellsNet(telling.payload) || wasUndoneByOthers(one, told)) yield* net(world, one, told);
    else if (telling.payload.moneyMoved === 'no' && !telling.payload.final) yield* notYet(world, one, told);
    else {
      const expected = expectedBy(telling.payload, one.effect);
      const upTo = asked.heard[place + 1]?.ledger ?? until;
      for (const balance of expected === undefined ? [] : balances(own, ledger, upTo)) {
        if (isSame(balance, expected ?? NOTHING)) continue;
        if (namesNoAmount(telling.payload) && covers(balance, expected ?? NOTHING)) continue;
        if (tellsLaterTips(world, one, told, expected ?? NOTHING)) continue;
        yield `told ${telling.payload.outcome} (${spelt(expected ?? NOTHING)}), and the bank has ${spelt(balance)}`;
        break;
      }
    }
  }
}

/** Who has forgotten the tips of later messages tells the payment with them, with or without what others did to it. */
export function tellsLaterTips(world: World, { asked, all }: Case, { ledger }: Heard, told: Balance): boolean {
  if (!world.forgotten.has(asked.id)) return false;
  const then = all.filter(({ seq }) => seq <= ledger);
  const ours = then.filter((entry) => !world.others.hasMade(entry));
  // What went back is told as a message of its own.
  const gross = ours.filter(({ kind }) => kind === 'charge' || kind === 'tip');
  return [then, ours, gross].some((entries) => isSame(balanceOf(entries), told));
}

/** Neither a reversal nor a tip carries a mark: who has forgotten its own takes that of another till, or of a later message, for it. */
export function takesAnothers({ flow }: World, { asked, own, all }: Case, { telling, ledger }: Heard): boolean {
  const { operation } = telling.payload;
  const isTip = operation === 'tip-adjustment';
  if (!isTip && !/reversal$/i.test(operation)) return false;
  // Of two messages at once the entry of either may count as the other's.
  const isAnothers = (entry: Case['all'][number]): boolean =>
    !own.includes(entry) || (entry.customerReference !== asked.id && flow.asked.has(entry.customerReference));
  const isAlike = (entry: Case['all'][number]): boolean => (isTip ? entry.kind === 'tip' : isBack(entry));
  return all.some((entry) => entry.seq <= ledger && isAlike(entry) && isAnothers(entry));
}

/**
 * Whoever does not know whether it has sent its reversal or tip takes one of another system, which has gone through and has no mark,
 * for that; and of another message of the flow only where the journal has lost what it knew.
 */
function takesForItsOwn(world: World, one: Case, told: Heard): boolean {
  const { asked, own, all } = one;
  if (own.length > 0 || !takesAnothers(world, one, told)) return false;
  if (world.forgotten.has(asked.id)) return true;
  const wasLost = world.disk.of(asked.id)?.timeline.some(({ event }) => LOST.has(event)) === true;
  const isUnmarked = (entry: Case['all'][number]): boolean =>
    isBack(entry) && world.others.hasMade(entry) && !isMarkedByAnother(entry, world);
  return wasLost && all.some((entry) => entry.seq <= told.ledger && isUnmarked(entry));
}

/** A reversal of ours that moved nothing, as another system had asked for the same before: what was told was done by that one. */
function repeatsAnothers({ others }: World, { own, all }: Case): boolean {
  const isBefore = ({ seq, originalId }: Case['own'][number]): boolean =>
    all.some(
      (entry) =>
        entry.kind === 'reversal' && entry.seq < seq && entry.originalId === originalId && others.hasMade(entry),
    );
  return own.some((entry) => entry.kind === 'reversal' && entry.moved === 0 && entry.held === 0 && isBefore(entry));
}

/** Money went back that others may have given back: what is told is the net. */
export function tellsNet({ outcome, moneyMoved, error }: ResultPayload): boolean {
  return error?.code === 'PARTLY_REFUNDED' || (outcome === 'refunded' && moneyMoved === 'no');
}

/** Another system undid all of it before the flow was told anything: "no" is true of what is left. */
export function wasUndoneByOthers(one: Case, told: Heard | undefined): boolean {
  const { own } = one;
  if (told === undefined) return false;
  const { telling, ledger } = told;
  const { payload } = telling;
  if (payload.moneyMoved !== 'no' || !payload.final || payload.outcome === 'approved') return false;
  const so = (entries: Case['all']): Balance => balanceOf(entries.filter(({ seq }) => seq <= ledger));
  const isUndone = (entries: Case['all']): boolean => !isSomethingLeft(entries.filter(({ seq }) => seq <= ledger));
  return !isSame(so(own), NOTHING) && (isUndone(since(one)) || isUndone(aboutOwn(one)));
}

/** What became of the payment since the flow asked, whoever did it. */
function since({ asked: { ledger }, all }: Case): Case['all'] {
  return all.filter(({ seq }) => seq > ledger);
}

/** What became of its own entries alone, whoever did it. */
function aboutOwn({ own, all }: Case): Case['all'] {
  const isAbout = ({ originalId }: Case['all'][number]): boolean =>
    own.some(({ transactionId }) => transactionId === originalId);
  return all.filter((entry) => own.includes(entry) || isAbout(entry));
}

/** What the journal could not take was told once it could. */
function decidedAt({ disk, uptime }: World, at: number): number {
  return disk.brokenFrom(uptime.startOf(at, SAVED_AGAIN), at) ?? at;
}

/** The status that was told may be so old. */
function knownSince(world: World, { asked: { heard } }: Case, told: Heard): number {
  const { at } = told;
  const before = heard[heard.indexOf(told) - 1];
  const isWithheld = before?.telling.payload.error?.code === JOURNAL_UNAVAILABLE;
  return Math.min(isWithheld ? before.at : at, decidedAt(world, at)) - STATUS_AGE;
}

function* net(world: World, one: Case, told: Heard): Generator<string> {
  const { telling, ledger } = told;
  const total = telling.payload.error?.code === 'PARTLY_REFUNDED' ? (telling.payload.amount?.minor.total ?? 0) : 0;
  const seen = [since(one), aboutOwn(one)].flatMap((all) => {
    const [first = ledger] = all.filter((entry) => entry.at >= knownSince(world, one, told)).map(({ seq }) => seq - 1);
    return [...balances(all, Math.min(first, ledger), ledger)];
  });
  // More may have come back than there was, where others gave it back twice: nothing is left of it.
  const isTooMuchBack = ({ moved }: Balance): boolean => moved * (one.own[0]?.moved ?? 0) < 0;
  if (!seen.some((balance) => balance.moved === total || (total === 0 && isTooMuchBack(balance))))
    yield `told that ${total} is left, and the bank has ${seen.map(spelt).join(', ')}`;
}

/**
 * A "no" that may change is true when it is told, but for what nobody can see yet, and corrected soon after it is true no
 * more.
 */
function* notYet(world: World, one: Case, told: Heard): Generator<string> {
  const { asked, own } = one;
  const { ledger, at, life, answers } = told;
  const then = balanceOf(own.filter((entry) => entry.seq <= ledger && entry.at < decidedAt(world, at) - SETTLING_LAG));
  // Another system gave it back before the flow was told: nothing had moved then.
  const left = balanceOf(since(one).filter(({ seq }) => seq <= ledger));
  const [first] = own;
  // It was asked for, and the service showed nothing of it: what nobody can see cannot be told.
  const wasHidden = first !== undefined && world.witnesses.wasInVain(asked.id, first.at, at, answers);
  if (!isSame(then, NOTHING) && !isSame(left, NOTHING) && !wasHidden)
    yield `told "no", not final, and the bank has ${spelt(then)}`;
  // Of what had gone back by then the "no" is true.
  const charge = own.find(
    (entry) =>
      entry.seq > ledger || (entry.at >= decidedAt(world, at) - SETTLING_LAG && !hadGoneBack(entry, own, ledger)),
  );
  if (charge === undefined) return;
  const later = asked.heard.slice(asked.heard.indexOf(told) + 1);
  const correction = later.find(({ telling: { payload } }) => !(payload.redelivered && payload.moneyMoved === 'no'));
  const isUnwritten =
    correction?.telling.payload.error?.code === JOURNAL_UNAVAILABLE ||
    world.disk.wasBrokenBetween(charge.at, charge.at + CORRECTION);
  const due = isUnwritten ? givenUpBy(world, charge.at, correction?.at) : charge.at + CORRECTION;
  // Another system gave it back before anybody could have said so; or its terminal did, as the cardholder refused a part.
  const until = isTakenBackThere(world, charge, own) ? charge.at + PARTIAL_SETTLED : due;
  if (isSame(balanceOf(since(one).filter((entry) => entry.at <= until)), NOTHING)) return;
  if (correction === undefined ? !couldCorrect(world, asked, charge.at, life) : correction.at <= due) return;
  // What was shown before says nothing of it: of a change the payment that it is about is shown all the time.
  const isChange = !CHARGING.has(charge.kind) || charge.originalId !== '';
  const shownFrom = isChange ? charge.at + SETTLING_LAG : charge.at;
  // Whoever asks every few seconds may still wait for the answer to the first question that could show it.
  const askedBy = Math.max(due - ANSWER, shownFrom + EVERY);
  if (world.witnesses.wasInVain(asked.id, shownFrom, askedBy, undefined, charge.reference)) return;
  // Whoever is deployed again and again with another service has not found out in time that it is another.
  const upFor = world.uptime.longestSince(charge.at, correction?.at);
  if (upFor <= CORRECTION && world.wasElsewhereSince(charge.at)) return;
  const { disturbedAt = 0 } = correction ?? {};
  // A process that was away, or frozen, could not say it sooner.
  if (correction === undefined || (correction.life === life && disturbedAt < charge.at))
    yield `told "no", and no correction within 30 s of ${charge.kind} ${charge.moved}`;
}

/**
 * When the flow hears at the latest that the journal cannot be written: each process that cannot has a minute of its own, and
 * the first that was there for all of it says so. Epoch ms.
 */
function givenUpBy({ uptime }: World, from: number, until = from): number {
  const ends = uptime
    .within(from, until)
    .map((span) => ({ due: Math.max(from, span.from) + JOURNAL_PATIENCE, until: span.until }));
  const first = ends.find((span) => span.until > span.due + WRITING);
  return (first ?? ends.at(-1))?.due ?? from + JOURNAL_PATIENCE;
}

/** Long enough after the charge a process was up, had the node to tell, and the journal to know of it. */
function couldCorrect(world: World, { id, node }: Asked, since: number, life: number): boolean {
  const isKnown = world.disk.brokenSince === undefined || world.life === life;
  return world.nodes.has(node) && isKnown && !world.forgotten.has(id) && world.uptime.longestSince(since) > CORRECTION;
}

/** The sum of what the flow was told of a payment is the bank's, where all of it is final. */
export function* balance(world: World, cases: readonly Case[]): Generator<string> {
  let told = NOTHING;
  for (const one of cases) {
    const { asked, effect } = one;
    const last = asked.heard.at(-1)?.telling.payload;
    if (
      last === undefined
        ? asked.rejected === undefined
        : !last.final ||
          last.moneyMoved === 'unknown' ||
          saysOtherAmount(last) ||
          namesNoAmount(last) ||
          tellsNet(last) ||
          replacesAnothers(world, one) ||
          isIgnoredTip(world, one) ||
          repeatsAnothers(world, one) ||
          wasUndoneByOthers(one, one.asked.heard.at(-1))
    )
      return;
    const added = last === undefined ? NOTHING : (expectedBy(last, effect) ?? NOTHING);
    told = { moved: told.moved + added.moved, held: told.held + added.held };
  }
  if (cases.some(({ asked }) => world.forgotten.has(asked.id) || mayStay(asked))) return;
  if (cases.some((one) => one.asked.heard.some((told) => takesForItsOwn(world, one, told)))) return;
  // Another system gave back the same once more: whether anybody could know that, another rule says.
  if (cases.some(({ own, all }) => own.some((entry) => CHARGING.has(entry.kind) && isOverReturned(entry, all)))) return;
  // A reversal replaces those before it, also one of the same amount, so that what was told of each does not add up.
  if (cases.some(({ own }) => own.some(({ kind, moved }) => kind === 'reversal' && moved >= 0 && isSale(cases))))
    return;
  if (countsOnce(world, cases)) return;
  const bank = balanceOf(cases.flatMap((one) => [...one.own, ...doneBeforeBack(world, one)]));
  if (!isSame(told, bank)) yield `all told comes to ${spelt(told)}, and the bank has ${spelt(bank)}`;
}

/**
 * What another system did to a charge, before all of it that was left went back: by us, or by its terminal. The same of one
 * of several that the flow was not told of, and that it gave back as a whole.
 */
function doneBeforeBack({ others }: World, { asked, own, all }: Case): Case['all'] {
  const told = asked.heard.at(-1)?.telling.payload.transactionId;
  const charges = own.filter(({ kind }) => CHARGING.has(kind));
  const attempts = charges.filter(({ customerReference }) => customerReference === asked.id);
  const theirs = all.filter((entry) => others.hasMade(entry));
  return charges.flatMap((charge) => {
    const about = theirs.filter(({ originalId }) => originalId === charge.transactionId);
    const isOther = attempts.length > 1 && attempts.includes(charge) && charge.transactionId !== told;
    const isUndone = isOther && isSame(balanceOf([charge, ...about]), NOTHING);
    const back = own.findLast((entry) => isBack(entry) && entry.originalId === charge.transactionId);
    return about.filter(({ seq }) => isUndone || seq < (back?.seq ?? 0));
  });
}

/** The service takes equal increases that come close together for one: which of two messages made it, nobody can tell. */
function countsOnce({ variants }: World, cases: readonly Case[]): boolean {
  if (variants.repeatedIncrease !== 'once') return false;
  const changes = cases.flatMap(({ effect }) => (effect !== undefined && effect.moved === 0 ? [effect.held] : []));
  return changes.some((held, place) => held !== 0 && changes.indexOf(held) < place);
}

function isSale([first]: readonly Case[]): boolean {
  return first?.own.some(({ kind }) => kind === 'charge') === true;
}

/** Of messages that were sent again because that was safe, one has charged. */
export function* orders(world: World, messages: readonly Asked[]): Generator<string> {
  const { bank } = world.simulator;
  const charged = messages.filter(({ id }) => isSomethingLeft(chainEntries(bank, id)));
  if (charged.length > 1)
    yield `${charged.map(({ id }) => id).join(' and ')} are one order, tried again as "safe", and all of them charged`;
}

/** The terminal said another amount than was asked for, and the flow was told so: a person has to look at the bank. */
export function saysOtherAmount({ outcome, amount, error }: ResultPayload): boolean {
  if (error?.code !== 'AMOUNT_DIFFERS') return false;
  const isMore = amount !== undefined && amount.minor.total > 2 * amount.minor.requested;
  return outcome === 'approved' || outcome === 'refunded' || (outcome === 'partial' && isMore);
}

/** The terminal left the amounts out, so that what was asked for is told: a surcharge on top of it nobody has named. */
export function namesNoAmount({ outcome, moneyMoved, result }: ResultPayload): boolean {
  const isDone = outcome === 'approved' || (outcome === 'refunded' && moneyMoved === 'yes');
  // The answer to a capture says how much of the hold was captured, and what came on top.
  if (!isDone || result === undefined || 'capturedAmount' in result) return false;
  return 'finStatus' in result && typeof result.totalAmount !== 'number';
}

function covers(balance: Balance, least: Balance): boolean {
  const direction = least.moved < 0 ? -1 : 1;
  return direction * balance.moved >= direction * least.moved && balance.held >= least.held;
}

/** What the bank must have by what was told; undefined for a question. */
function expectedBy(payload: ResultPayload, effect: Balance | undefined): Balance | undefined {
  const { outcome, operation, amount, moneyMoved } = payload;
  if (QUESTIONS.has(outcome) || moneyMoved === 'unknown' || saysOtherAmount(payload)) return undefined;
  const total = amount?.minor.total ?? 0;
  if (outcome === 'partial') {
    const part = (whole = 0): number => (whole < 0 ? -total : total);
    if (operation === 'preauthorization/increase') return { moved: 0, held: part(effect?.held) };
    const held = operation === 'preauthorization/capture' ? (effect?.held ?? 0) : 0;
    return { moved: part(effect?.moved), held };
  }
  if (outcome === 'approved' || outcome === 'completed' || (outcome === 'refunded' && moneyMoved === 'yes')) {
    if (effect !== undefined) return effect;
    if (HOLDING.has(operation)) return { moved: 0, held: total };
    return { moved: GIVING_BACK.has(operation) ? -total : total, held: 0 };
  }
  return NOTHING;
}
