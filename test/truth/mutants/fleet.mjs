/** Several processes that share a journal: who may write, send and tell, and what is lost between them. */
const IN_FLEET = [
  {
    name: 'writes although another process has taken the journal',
    file: 'src/core/journal/postgres/lease/leader-lease.ts',
    find: 'if (!(await this.row.isHeld(sql, this.holder)) && !(await this.isTakenBack(sql))) throw this.lost();',
    replace: 'await this.row.isHeld(sql, this.holder);',
  },
  {
    name: 'sends without looking whether it still leads',
    file: 'src/core/runner/runner.ts',
    find: "if (!this.context.journal.mayAct()) throw new UnwrittenError('another process may have taken over the journal');",
    replace: '',
  },
  {
    name: 'goes on with a lease that another process has taken after its end',
    file: 'src/core/journal/postgres/lease/leader-lease.ts',
    find: 'if (isRenewed) this.until = asked;\n    else this.lost();',
    replace: 'this.until = asked;',
  },
  {
    name: 'looks for dead doors only while a door asks for something',
    file: 'src/core/engine/doors/door-keeper.ts',
    find: 'await this.sweepNowAndThen();',
    replace: 'if (this.inHand.size > 0) await this.sweepNowAndThen();',
  },
  {
    // Either covers for the other: the engine waits for each version before it writes the next.
    name: 'writes the versions of a record side by side, so that an earlier one may come last',
    patches: [
      {
        file: 'src/core/runner/runner.ts',
        find: "if (effect === 'save') await this.writer.save(this.record);",
        replace: "if (effect === 'save') void this.writer.save(this.record);",
      },
      {
        file: 'src/core/journal/postgres/writer.ts',
        find: 'await this.write(this.waiting.splice(0, this.most));',
        replace: 'void this.write(this.waiting.splice(0, this.most));',
      },
    ],
  },
  {
    name: 'takes the lead by the clock of its own machine',
    file: 'test/truth/fleet/shared-rows.ts',
    find: 'held.until >= clock.now()',
    replace: 'held.until >= this.link.localTime',
  },
  {
    name: 'accepts an order that its door has taken back',
    file: 'test/harness/memory-fleet.ts',
    find: 'if (!isOpen || request.until <= tables.clock.now()) throw',
    replace: 'if (request === undefined) throw',
  },
  {
    name: 'takes back an order and leaves nothing that keeps it from arriving',
    file: 'test/harness/memory-doors.ts',
    find: 'fleet.requests.set(id, { ...withdrawn, replica: undefined });',
    replace: 'if (fleet.requests.has(id)) fleet.requests.set(id, { ...withdrawn, replica: undefined });',
  },
  {
    name: 'tells at a door what the leader tells because it counts the door as dead',
    situation: 'frozenDoors',
    patches: [
      {
        file: 'src/core/delivery/remote/incoming-deliveries.ts',
        find: 'if (generation !== this.generation || !this.doors.mayTell()) return;',
        replace: '',
      },
      {
        file: 'src/core/engine/doors/door.ts',
        find: 'mayAct: () => !this.stopping.signal.aborted && doors.mayTell() && this.incoming.isCurrent,',
        replace: 'mayAct: () => !this.stopping.signal.aborted,',
      },
    ],
  },
  {
    name: 'tells what a dead door may have told as if nobody had',
    file: 'src/core/delivery/remote/remote-deliveries.ts',
    find: 'payload: { ...delivery.payload, redelivered: true }',
    replace: 'payload: delivery.payload',
  },
  {
    name: 'tells results of a dead door in the order in which they come back',
    situation: 'correctedDeadDoors',
    file: 'src/core/delivery/remote/remote-deliveries.ts',
    find: 'if (earlier.sequence < sequence) this.settle(',
    replace: 'if (earlier.sequence < 0) this.settle(',
  },
  {
    name: 'posts a result to a door once more while it is on its way there',
    situation: 'thawingDoors',
    file: 'src/core/delivery/remote/remote-deliveries.ts',
    find: 'one.posting ??= this.postNow(one)',
    replace: 'one.posting = this.postNow(one)',
  },
  {
    name: 'takes a commit without an answer for none',
    file: 'src/core/journal/postgres/writer.ts',
    find: 'if (error instanceof UnknownEndError) await this.findOut(batch);',
    replace: 'if (error instanceof UnknownEndError) for (const { reject } of batch) reject(error);',
  },
  {
    name: 'acknowledges a callback at a door before the database has it',
    file: 'src/core/engine/doors/door.ts',
    find: 'await journal.doors.inbox.put(',
    replace: 'void journal.doors.inbox.put(',
  },
  {
    name: 'forgets that a verdict may have been told by another process',
    file: 'src/core/runner/outbox.ts',
    find: 'if (this.dispatcher.isForElsewhere(delivery.origin)) pending.mayBeDelivered = true;',
    replace: '',
  },
  {
    name: 'corrects at a door what nobody has heard',
    file: 'src/core/delivery/remote/incoming-deliveries.ts',
    find: 'correction === true && this.correctsBefore(posted, all)',
    replace: 'correction === true',
  },
  {
    name: 'forgets at a deploy what a door has asked and does not know the end of',
    patches: [
      {
        file: 'src/core/engine/doors/door.ts',
        find: 'if (!this.stopping.signal.aborted || this.asking.open.length > 0 || !this.incoming.isNoted) return;',
        replace: 'if (!this.stopping.signal.aborted) return;',
      },
      {
        file: 'src/core/engine/doors/door.ts',
        find: 'if (this.kept.isAwaited && !isCounted) return;',
        replace: '',
      },
    ],
  },
  {
    name: 'notes as told what has been replaced before it was',
    situation: 'deployedAfterFreeze',
    file: 'src/core/delivery/remote/incoming-deliveries.ts',
    find: 'this.replaced.set(name.message, [...(this.replaced.get(name.message) ?? []), name]);',
    replace: 'this.noteLater(name);',
  },
  {
    name: 'does not hear that it counted as dead where the answer is lost that says so',
    situation: 'unheardBurials',
    file: 'src/core/journal/postgres/lease/presence.ts',
    find: 'if (isNew || this.mayHaveEnded) this.generation++;',
    replace: 'if (isNew) this.generation++;',
  },
  {
    name: 'says that nobody knows of what its process has told since the deploy',
    situation: 'deployedWhileCut',
    file: 'src/core/engine/doors/kept-messages.ts',
    find: 'awaited.hasResult || this.heard.lastOf(message.id) > 0',
    replace: 'awaited.hasResult',
  },
  {
    name: 'takes what a process that died may have told for something that nobody was told',
    situation: 'deadTellers',
    file: 'src/core/delivery/remote/incoming-deliveries.ts',
    find: 'return payload.correction === true || payload.redelivered === true;',
    replace: 'return payload.correction === true;',
  },
  {
    name: 'says that nobody knows after another process has told the end, and leaves it at that',
    patches: [
      {
        file: 'src/core/engine/library.ts',
        find: 'if (record === undefined || latest?.verdict.final !== true',
        replace: 'if (record === undefined || latest?.verdict.final !== false',
      },
    ],
  },
  {
    name: 'takes a result that the database has forgotten for one that no door has got',
    test: 'test/core/delivery/remote-deliveries.test.ts',
    file: 'src/core/delivery/remote/remote-deliveries.ts',
    find: "found === 'gone' && one.isPosted ?",
    replace: "found === 'gone' && false ?",
  },
  {
    name: 'takes a payment over as old as its own clock says, which may be behind that of the process that died',
    test: 'test/core/engine/time/clock-of-the-journal.test.ts',
    file: 'src/core/engine/time-passed.ts',
    find: 'if (policies.deadlineMs === undefined) return record;',
    replace: 'return record;',
  },
  {
    name: 'ends a watch by the clock of the database alone',
    test: 'test/core/engine/time/clock-of-the-journal.test.ts',
    file: 'src/core/engine/time-passed.ts',
    find: 'now - Math.min(passed, policies.deadlineMs)',
    replace: 'now - passed',
  },
  {
    name: 'forgets who repeats an order, and has heard that nobody knows, once another process leads',
    test: 'test/core/engine/doors/corrections.test.ts',
    file: 'src/core/engine/engine.ts',
    find: ', ...this.repeats.unanswered];',
    replace: '];',
  },
  {
    name: 'looks for the end of a message that repeats an order under its own id alone',
    test: 'test/core/engine/doors/corrections.test.ts',
    file: 'src/core/engine/library.ts',
    find: 'return record ?? (origin.key && this.holder(origin.key));',
    replace: 'return record;',
  },
  {
    name: 'tells by itself the end of a message that repeats an order, which the leader is still to tell',
    test: 'test/core/engine/doors/corrections.test.ts',
    file: 'src/core/engine/library.ts',
    find: 'if (isRepeat && (await this.isRepeatOpen(id))) return undefined;',
    replace: '',
  },
  {
    name: 'takes the word of a standby for what was not committed',
    test: 'test/core/journal/postgres-writer.test.ts',
    patches: [
      {
        file: 'src/core/journal/postgres/writer.ts',
        find: 'if (found === undefined) await this.mustNotStandBy(sql);',
        replace: 'if (found === undefined) void this.mustNotStandBy;',
      },
      {
        file: 'src/core/journal/postgres/connection/database.ts',
        find: 'const OF_SERVER = /^(08|57P|25006$)/;',
        replace: 'const OF_SERVER = /^(08|57P)/;',
      },
    ],
  },
  {
    name: 'gives a database that is far away more changes at once than it can take in time',
    test: 'test/core/journal/postgres-writer.test.ts',
    file: 'src/core/journal/postgres/writer.ts',
    find: 'const FIRST_BATCH = 20;',
    replace: 'const FIRST_BATCH = 200;',
  },
  {
    name: 'sends once more what a restored database has as a request again',
    test: 'test/core/engine/doors/doors.test.ts',
    file: 'src/core/engine/turns/unsent-check.ts',
    find: 'return origin.asked === true && updatedAt - createdAt >= DOUBTFUL_AFTER;',
    replace: 'return origin.asked === true && updatedAt - createdAt < 0;',
  },
];

export const FLEET = IN_FLEET.map((mutant) => ({ ...mutant, world: 'fleet' }));
