/** What outlives a restart, a broken journal, a backup and a clock that jumps. */
export const RESTART = [
  {
    name: 'forgets open operations at the start',
    file: 'src/core/engine/resumption.ts',
    find: 'const open = await this.options.journal.openIds(this.options.environment);',
    replace: 'const open: string[] = [];',
  },
  {
    name: 'leaves its lease running after the last operation',
    patches: [
      { file: 'src/core/engine/lease-keeper.ts', find: "if (demand === 'none') return;", replace: '' },
      { file: 'src/core/engine/lease-keeper.ts', find: 'if (!this.again) this.cancelBeat();', replace: '' },
    ],
  },
  {
    name: 'does not tell the next engine that nobody has the result',
    file: 'src/core/operation/delivery-state.ts',
    find: 'return pending === undefined || pending.mayBeDelivered ? pending : { ...pending, undelivered: true };',
    replace: 'return pending;',
  },
  {
    name: 'replaces what an earlier engine may have delivered',
    file: 'src/core/operation/delivery-state.ts',
    find: 'pending.correction || pending.mayBeDelivered === true;',
    replace: 'pending.correction;',
  },
  {
    name: 'keeps silent while the journal cannot be written',
    world: 'hostile',
    file: 'src/core/runner/runner.ts',
    find: '    this.outbox.reportUnavailable();\n',
    replace: '',
  },
  {
    name: 'says once more after a restart that the journal cannot be written, to a flow that has a verdict',
    world: 'hostile',
    file: 'src/core/runner/outbox.ts',
    find: 'if (pending === undefined) return reported !== undefined;',
    replace: 'if (pending === undefined) return false;',
  },
  {
    name: 'takes a wall clock that jumped ahead for time that has passed',
    world: 'hostile',
    file: 'src/core/runner/runner.ts',
    find: 'const now = this.context.clock.now();\n    const isTick',
    replace: 'const now = this.context.clock.wall();\n    const isTick',
  },
  {
    name: 'takes a restored backup for all that was sent',
    world: 'hostile',
    file: 'src/core/lifecycle/terminal/learn.ts',
    find: 'if (unknownAttempts === 0) return {};',
    replace: 'if (unknownAttempts !== 0) return {};',
  },
  {
    name: 'takes the word of a backup that nothing was sent',
    world: 'hostile',
    file: 'src/core/lifecycle/terminal/transitions/backup.ts',
    find: 'when: all(mayBeBackup, isPayment),',
    replace: 'when: () => false,',
  },
  {
    name: 'acknowledges a callback before the journal has it',
    file: 'src/core/engine/callback-receiver.ts',
    find: "return (await runner.enqueueDurably(evidence)) ? 'taken' : 'unavailable';",
    replace: "void runner.enqueueDurably(evidence); return 'taken';",
  },
  {
    name: 'acknowledges a callback that the journal could not take',
    file: 'src/core/engine/callback-receiver.ts',
    find: "return (await runner.enqueueDurably(evidence)) ? 'taken' : 'unavailable';",
    replace: "await runner.enqueueDurably(evidence); return 'taken';",
  },
  {
    name: 'waits after a restart for what moves no money as if it did',
    file: 'src/core/lifecycle/terminal/unanswered.ts',
    find: '  if (movesMoney(state.operation)) return undefined;',
    replace: '  if (movesMoney(state.operation) || state.restoredAt !== undefined) return undefined;',
  },
  {
    name: 'waits anew after each restart before it tells that nobody can say',
    file: 'src/core/lifecycle/terminal/unanswered.ts',
    find: 'return due === undefined ? undefined : toldAfterRestart(due, now, ASKING);',
    replace: 'return due === undefined ? undefined : Math.max(due, now + RECOVERY_LIMIT + LAST_ANSWER);',
  },
];
