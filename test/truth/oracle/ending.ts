import type { Asked, Heard } from '../flow.js';
import { balanceOf, CHARGING, isOverReturned, isSame, NOTHING, spelt } from '../ledger.js';
import type { World } from '../world.js';
import { type Case, isReturnUnlisted } from './case.js';
import { isPartlyGone } from './gone-record.js';
import { JOURNAL_UNAVAILABLE, QUESTIONS } from './money.js';
import { isLeftToPerson } from './second-charge.js';

/** Not what a process said that was cut off, and died before it could take that back: another one had told the end before. */
function lastTold(world: World, { heard }: Asked): Heard | undefined {
  const isCutOff = ({ telling: { payload }, life }: Heard): boolean =>
    world.isShared && payload.error?.code === JOURNAL_UNAVAILABLE && !payload.final && world.hasEnded(life);
  return heard.findLast((told) => !isCutOff(told)) ?? heard.at(-1);
}

/** What a question leaves in the end. */
export function* ending(world: World, one: Case): Generator<string> {
  const { asked, own, effect } = one;
  const last = lastTold(world, asked)?.telling.payload;
  const left = balanceOf(own);
  if (last === undefined) {
    // Whoever is switched off, or has lost its journal, cannot tell; that it should have, another rule says.
    const couldTell = world.disk.brokenSince === undefined && !world.isOffForGood && !world.forgotten.has(asked.id);
    if (!isSame(left, NOTHING) && couldTell) yield `nothing was told, and the bank has ${spelt(left)}`;
    return;
  }
  if (!last.final && isClosed(world, asked) && last.error?.code !== 'CONTRADICTED')
    yield `told ${last.outcome} as not final, and nothing follows`;
  if (!QUESTIONS.has(last.outcome)) return;
  const { brokenSince } = world.disk;
  if (brokenSince !== undefined) {
    // It may have been recorded before, and told when its node was there.
    const wasRecorded = last.redelivered === true || world.disk.of(asked.id)?.state.pending !== undefined;
    const isNewer = (asked.heard.at(-1)?.at ?? 0) >= brokenSince && !wasRecorded;
    if (isNewer && last.error?.code !== JOURNAL_UNAVAILABLE) yield `stays ${last.outcome}, and not for the journal`;
    return;
  }
  const record = world.disk.of(asked.id);
  // A backup says where it was recorded, and not where it was sent: the other service cannot be asked.
  const isElsewhere = record !== undefined && 'serviceChanged' in record.state && record.state.serviceChanged === true;
  const cannotKnow = world.forgotten.has(asked.id) && (record === undefined || isElsewhere);
  // A clock that says that two days have passed ends the watch, although it had the other service to ask for all of its life.
  const endedThere = isElsewhere && world.clockIsWrong && last.error?.code === 'WATCH_ENDED';
  if (world.isOffForGood || cannotKnow || endedThere || isLeftToPerson(world, one)) return;
  // What said something that nobody can read may have said "approved": no record does not take that back.
  // Of each attempt that may have followed a backup somebody has to say in the end that there is none.
  const isLeftOpen = world.forgotten.has(asked.id) && world.witnesses.leftOpen(asked.id);
  // A backup may know of a result that nobody could read, and not of the next copy of it.
  const isSpoilt = world.forgotten.has(asked.id) && world.witnesses.saidUnreadable(asked.id);
  const isUnread = isSpoilt || world.witnesses.saidUnclear(asked.id);
  const isClear = !isLeftOpen && !isPartlyGone(world, one) && !isUnread;
  // Two days of questions, and not one was answered with its record.
  const isUnshown =
    last.error?.code === 'WATCH_ENDED' && world.witnesses.wasInVain(asked.id, asked.at, toldLastAt(asked));
  // A result that nobody can read contradicts what was to be told, and a person was asked to look: what comes later is for callback-in.
  const isContradicted = last.error?.code === 'CONTRADICTED' && world.witnesses.saidUnreadable(asked.id);
  // More came back than there was: how much of that is whose, nobody can say.
  const isTooMuchBack = own.some((entry) => CHARGING.has(entry.kind) && isOverReturned(entry, one.all));
  const mayStayOpen = isUnshown || isContradicted || isTooMuchBack || isReturnUnlisted(world, one);
  if (isClear && !mayStayOpen && isKnowable(asked) && !world.isElsewhereAlone(asked.id))
    yield `stays ${last.outcome}, and the gateway knows`;
  if (effect !== undefined && !isSame(left, NOTHING) && !isSame(left, effect)) {
    yield `stays ${last.outcome}, and the bank has ${spelt(left)}, neither nothing nor ${spelt(effect)}`;
  }
}

function isClosed(world: World, { id }: Asked): boolean {
  return world.disk.brokenSince === undefined && world.disk.of(id)?.closed === true;
}

function toldLastAt({ heard }: Asked): number {
  return heard.at(-1)?.at ?? 0;
}

/** The status service knows it by a reference of ours, so in the end nothing may stay open. */
function isKnowable({ request }: Asked): boolean {
  if (request.kind === 'back-office') return false;
  const { operation, originalTransactionId } = request.order.request;
  const traceable = ['sale', 'refund', 'saleAndTokenizeCard', 'preAuthorization'].includes(operation);
  return traceable && originalTransactionId === undefined;
}
