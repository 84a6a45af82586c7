import type { LedgerEntry } from '../../../src/simulator/index.js';
import type { Asked } from '../flow.js';
import { balanceOf, CHARGING, isSomethingLeft, spelt } from '../ledger.js';
import type { World } from '../world.js';
import { type Case, isReturnUnlisted } from './case.js';

const REVERSED = 'SECOND_ATTEMPT_REVERSED';
const UNPROVEN = 'REVERSAL_UNPROVEN';
const PARTLY_REFUNDED = 'PARTLY_REFUNDED';

/**
 * On a terminal that others use too nobody can rule out a second charge where the service runs an order although it answers
 * with a refusal. All but one of the charges are of such attempts.
 */
export function isForeseen(world: World, { request }: Asked, own: readonly LedgerEntry[]): boolean {
  if (request.kind !== 'terminal' || request.order.policies.exclusiveTerminal === true) return false;
  return chargesIn(own).filter(({ reference }) => !world.inspector.refused.has(reference)).length <= 1;
}

/** One of two charges goes back, and somebody hears of it; where that cannot be proved, a person must look. */
export function* secondCharge(world: World, one: Case): Generator<string> {
  const { asked, own, all } = one;
  // What its terminal took back by itself, as it was refused or cancelled there, is no second charge; nor is what another
  // system had given back before the flow heard anything but a question.
  const first = asked.heard.find(({ telling }) => telling.payload.moneyMoved !== 'unknown') ?? asked.heard[0];
  const byOthers = all.filter((entry) => entry.at <= (first?.at ?? 0) && world.others.hasMade(entry));
  const wasUndone = (charge: LedgerEntry): boolean => !stands(charge, [charge, ...byOthers]);
  const charges = chargesIn(own).filter((charge) => !isTakenBackThere(world, charge, own) && !wasUndone(charge));
  if (charges.length <= 1) return;
  const told = [...asked.heard.map(({ telling }) => telling), ...asked.late];
  const codes = told.map(({ payload }) => payload.error?.code);
  const left = balanceOf(own);
  const last = asked.heard.at(-1)?.telling.payload;
  // Whether something had to be told, another rule says.
  if (last === undefined) return;
  // Of those whose record has vanished a person finds out; of two that somebody can still say of, one has to go back.
  const known = charges.filter(
    ({ reference = '' }) => !world.gone.has(reference) || world.witnesses.hasResult(reference),
  );
  const standing = known.filter((charge) => stands(charge, all));
  if (last.moneyMoved === 'unknown' && standing.length <= 1) return;
  // What went back before the backup was restored, that process had not told yet, and the next one knows nothing of it.
  const { inPlaceSince } = world.disk;
  const before = all.filter(({ at }) => at < inPlaceSince);
  const stayed = charges.filter((charge) => charge.at >= inPlaceSince || stands(charge, before));
  if (world.forgotten.has(asked.id) && (stayed.length <= 1 || !last.final)) return;
  // Others may have given back what the engine did not.
  const isNothing = last.final && last.moneyMoved === 'no' && !charges.some((charge) => stands(charge, all));
  // A person is asked to look at the chain, where the others are.
  const { ledger = 0 } = asked.heard.at(-1) ?? {};
  const chain = all.filter(
    ({ transactionId, originalId, seq }) =>
      seq <= ledger && [transactionId, originalId].includes(last.transactionId ?? ''),
  );
  const isLeft =
    balanceOf(chain).moved === last.amount?.minor.total && standing.every((charge) => chain.includes(charge));
  const isNet = last.error?.code === PARTLY_REFUNDED && isLeft;
  const isUnlisted = isReturnUnlisted(world, one);
  const isQuestion = !last.final || (isUnlisted && last.moneyMoved === 'unknown');
  // One of them may have been asked back after another system had given it back.
  const ours = chargesIn(all).filter((charge) => !world.others.hasMade(charge));
  if (codes.includes(UNPROVEN)) {
    if (endsWithOne(asked) && standing.length > 1)
      yield `asked to look at ${charges.length} charges, and then told of one`;
    // Where late approvals go back by the policy of the flow, of three charges one goes back, whoever takes it back, and a person
    // looks. Nobody asks for all of a charge back of which something went back already, however much that was.
    const { policies } = asked.request.kind === 'terminal' ? asked.request.order : {};
    const isOneOfThreeBack =
      policies?.lateApproval === 'reverse' && chargesIn(own).length > 2 && chargesIn(own).some(wasUndone);
    if (isUnlisted || isOneOfThreeBack || world.forgotten.has(asked.id) || isPerhapsBackup(world, asked)) return;
    if (!wasAskedBack(world, asked, ours)) yield `${charges.length} charges, and nothing was asked back`;
  } else if (codes.includes(REVERSED)) {
    // What the journal has lost nobody looks after any more.
    const isLeft = isUnlisted && isQuestion;
    if (standing.length > 1 && !world.forgotten.has(asked.id) && !isLeft)
      yield `told that the second of ${charges.length} charges went back, and the bank has ${spelt(left)}`;
  } else if (!isNothing && !isNet && !isQuestion)
    yield `${charges.length} charges for one message, and nobody was told`;
}

/** After a person was asked to look, the flow heard an end as of one charge, and no alarm came after that. */
function endsWithOne({ heard, late }: Asked): boolean {
  const last = heard.at(-1);
  if (last === undefined || !heard.slice(0, -1).some(({ telling }) => isAlarm(telling))) return false;
  const { final, moneyMoved } = last.telling.payload;
  return final && moneyMoved !== 'unknown' && !isAlarm(last.telling) && !late.some(isAlarm);
}

function isAlarm({ payload }: Asked['late'][number]): boolean {
  return payload.error?.code === UNPROVEN;
}

/** When a person was asked to look, or the flow heard of it last. Epoch ms. */
function toldAt({ heard }: Asked): number {
  const unproven = heard.find(({ telling }) => telling.payload.error?.code === UNPROVEN);
  return (unproven ?? heard.at(-1))?.at ?? 0;
}

/** A process took it up so late that the journal may be a backup: nothing that another one may have told is undone. */
function isPerhapsBackup(world: World, { id, at }: Asked): boolean {
  const record = world.disk.of(id);
  const wasTakenUp = world.uptime.between(at, world.clock.now()).lives > 1;
  return wasTakenUp && record?.kind === 'terminal' && record.state.mayBeBackup === true;
}

/**
 * One of them was, or could not be: nobody had said by then which transactions they are; or the process died, and the next one,
 * which asks anew whether there are two, had no answer; or a person had dealt with it, and may have given one back.
 */
function wasAskedBack(world: World, asked: Asked, charges: readonly LedgerEntry[]): boolean {
  const { inspector, witnesses, uptime } = world;
  if (world.handled.has(world.disk.of(asked.id)?.operationId ?? '')) return true;
  const until = toldAt(asked);
  const since = witnesses.lastNamed(asked.id, until) + 1;
  if (uptime.between(since, until).lives > 1 && witnesses.wasInVain(asked.id, since, until)) return true;
  // Who has seen that something of it went back leaves the rest to a person. An alarm comes after all looks.
  const seenUntil = asked.late.some(isAlarm) ? world.clock.now() : until;
  const wasSeenToGoBack = ({ transactionId: charge }: LedgerEntry): boolean =>
    world.simulator.bank
      .entries(charge)
      .some(
        (entry) =>
          entry.originalId === charge &&
          world.others.hasMade(entry) &&
          witnesses.hadShown(entry.transactionId, seenUntil + 1),
      );
  const isNamed = ({ reference = '' }: LedgerEntry): boolean => witnesses.wasNamed(asked.id, reference, until);
  const latest = charges.at(-1);
  // Of three it is the latest that goes back, and a person looks where nobody names it.
  const isLatestNameless = charges.length > 2 && latest !== undefined && !isNamed(latest);
  return (
    isLatestNameless ||
    charges.filter(isNamed).length <= 1 ||
    charges.some((charge) => inspector.askedBack.has(charge.transactionId) || wasSeenToGoBack(charge))
  );
}

/**
 * Of several charges a person was asked to take one back. Of two the engine takes one back itself, where the journal is no
 * backup; a person comes in where nobody confirmed that in time.
 */
export function isLeftToPerson(world: World, { asked, own, all }: Case): boolean {
  const codes = asked.heard.map(({ telling }) => telling.payload.error?.code);
  if (!codes.includes(UNPROVEN)) return false;
  // What another system gave back whole before the next attempt is no charge of this message any more; the engine may not know.
  const isMarked = ({ customerReference }: LedgerEntry): boolean => customerReference === asked.id;
  const marked = chargesIn(all).filter((charge) => isMarked(charge) && !world.others.hasMade(charge));
  const charges = [...new Set([...chargesIn(own), ...marked])];
  const bothStay = charges.every((charge) => stands(charge, all)) && wasAskedBack(world, asked, charges);
  const isUnheard = charges.some((charge) => wentBackUnheard(world, asked, charge, all));
  // Of one of them another system has given something back: nobody says what is left of both.
  const isTouched = charges.some(({ transactionId }) =>
    all.some((entry) => entry.originalId === transactionId && world.others.hasMade(entry)),
  );
  const isOpen = bothStay || isUnheard || isTouched || isPerhapsBackup(world, asked);
  return charges.length > 2 || (charges.length > 1 && isOpen);
}

/** It went back, and until a person was asked to look no answer had said so. */
function wentBackUnheard(world: World, asked: Asked, charge: LedgerEntry, all: readonly LedgerEntry[]): boolean {
  const { inspector, witnesses } = world;
  const { transactionId, reference } = charge;
  const back = all.find(({ kind, originalId }) => kind === 'reversal' && originalId === transactionId);
  if (back === undefined || !inspector.askedBack.has(transactionId) || inspector.heardBack.has(transactionId))
    return false;
  return witnesses.wasInVain(asked.id, back.at, toldAt(asked), Number.POSITIVE_INFINITY, reference);
}

export function isTakenBackThere(
  { inspector }: World,
  { transactionId }: LedgerEntry,
  own: readonly LedgerEntry[],
): boolean {
  const isBack = ({ kind, originalId }: LedgerEntry): boolean =>
    (kind === 'reversal' || kind === 'release') && originalId === transactionId;
  return !inspector.askedBack.has(transactionId) && own.some(isBack);
}

/** Something of it is left, whoever took the rest back. */
function stands({ transactionId }: Pick<LedgerEntry, 'transactionId'>, all: readonly LedgerEntry[]): boolean {
  return isSomethingLeft(
    all.filter((entry) => entry.transactionId === transactionId || entry.originalId === transactionId),
  );
}

function chargesIn(own: readonly LedgerEntry[]): LedgerEntry[] {
  return own.filter(({ kind }) => CHARGING.has(kind));
}

/** Somebody was told that a second charge may stay. */
export function mayStay({ late }: Asked): boolean {
  return late.some(({ payload }) => payload.error?.code === UNPROVEN);
}
