import { JOURNAL_PATIENCE, LAST_ANSWER } from '../../../src/core/base/timings.js';
import type { Asked } from '../flow.js';
import { START_AGAIN, type World } from '../world.js';

const SECOND = 1000;
/** What it takes to write what is told, on a slow disk, and to hand it over. */
const WRITING = 10 * SECOND;
/** For so long an engine that could not say that it ended keeps its payments to itself. */
const LEASE = 60 * SECOND;

/**
 * Whoever has set a deadline hears something 30 s after it at the latest, wherever the operation is by then: in a queue, on its
 * way, before the next attempt, at the terminal, or going back. Only a process that is away or frozen says nothing; the next one
 * asks first. A journal that cannot be written has a minute of its own.
 */
export function* deadline(world: World, asked: Asked): Generator<string> {
  const { request, rejected, heard, submittedAt: takenAt } = asked;
  const { deadlineMs } = request.kind === 'terminal' ? request.order.policies : { deadlineMs: undefined };
  const { uptime, disk } = world;
  if (deadlineMs === undefined || takenAt === undefined || rejected !== undefined) return;
  const patience = deadlineMs + LAST_ANSWER;
  const due = takenAt + patience;
  // What the journal has lost nobody can tell from then on.
  const end = Math.min(world.forgotten.get(asked.id) ?? world.endedAt, world.endedAt);
  const toldAt = Math.min(heard[0]?.at ?? end, end);
  const record = disk.of(asked.id);
  for (const { from, until } of uptime.within(due, toldAt)) {
    // What the process took with it before the journal had it, no other knows of.
    const isGone = from > takenAt || (world.isShared && world.hasEnded(asked.life, due));
    if (record === undefined && isGone) return;
    // By a clock that was wrong in an earlier life nobody can say how long ago the flow asked.
    const started = from + (world.clockIsWrong ? patience : LAST_ANSWER);
    const givenBack = from > takenAt && disk.wasBrokenBetween(from - WRITING, from) ? from + LEASE : from;
    const first = Math.max(due, started, givenBack, world.struckUntil(until) + LAST_ANSWER);
    const wasBroken = disk.wasBrokenBetween(takenAt, until);
    // Whoever could not read the journal starts once more, and counts from then on.
    const last = first + WRITING + (wasBroken ? JOURNAL_PATIENCE + START_AGAIN : 0);
    if (until <= last) continue;
    const { event } = record?.timeline.findLast(({ at }) => at <= first) ?? { event: 'nothing' };
    const seconds = Math.round((until - due) / SECOND);
    yield `heard nothing until ${seconds} s after its deadline of ${deadlineMs / SECOND} s had passed by 30 s, after ${event}`;
    return;
  }
}
