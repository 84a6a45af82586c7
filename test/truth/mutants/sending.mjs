/** What leaves, when, and how often. */
export const SENDING = [
  {
    name: 'sends before the journal',
    file: 'src/core/runner/runner.ts',
    find: 'await this.writer.create(this.record, leased);',
    replace: 'void this.writer.create(this.record, leased).catch(() => undefined);',
  },
  {
    name: 'sends the next attempt before the journal',
    file: 'src/core/runner/admission.ts',
    find: "const isNoted = await enqueueDurably({ type: 'leaving' });",
    replace: "const isNoted = true; void enqueueDurably({ type: 'leaving' });",
  },
  {
    name: 'sends although the journal could not take it',
    file: 'src/core/runner/admission.ts',
    find: 'if (!isNoted) throw',
    replace: 'if (isNoted === undefined) throw',
  },
  {
    name: 'sends again after a lost answer',
    file: 'src/core/operation/refusal.ts',
    find: "return { type: 'answer-lost' };",
    replace: "return { type: 'refused', refusal: 'busy', error: describe(error.code, error.name, error) };",
  },
  {
    name: 'takes a lost answer for a failure',
    file: 'src/core/operation/refusal.ts',
    find: "return { type: 'answer-lost' };",
    replace: "return { type: 'not-sent', error: describe(error.code, error.name, error) };",
  },
  {
    name: 'uses its reference again after a busy answer',
    file: 'src/core/runner/terminal/terminal-runner.ts',
    find: 'references: [...this.record.references, ...this.nextReferences(1)]',
    replace: 'references: [...this.record.references, this.record.operationId]',
  },
  {
    name: 'uses its reference again after a 429',
    file: 'src/core/api/back-office.ts',
    find: "const once = 'transactionReference' in body;",
    replace: 'const once = false;',
  },
  {
    name: 'starts payments beside the rate limit',
    file: 'src/core/api/transport/transport.ts',
    find: "return endpoint !== 'read' || this.countReads;",
    replace: "return endpoint === 'back-office' || this.countReads;",
  },
  {
    name: 'sends what the rate limit let through too late',
    world: 'hostile',
    file: 'src/core/runner/runner.ts',
    find: 'return !this.isStale(this.context.clock.now());',
    replace: 'return true;',
  },
  {
    name: 'begins a payment long after it was asked for',
    file: 'src/core/lifecycle/terminal/state.ts',
    find: 'return isOld || now < state.startedAt ||',
    replace: 'return (isOld && now < 0) ||',
  },
  {
    name: 'begins a payment after the deadline of its flow',
    world: 'hostile',
    file: 'src/core/lifecycle/terminal/state.ts',
    find: ' || now >= flowWaitsUntil(state);',
    replace: ';',
  },
  {
    name: 'handles two envelopes of one operation at once',
    file: 'src/core/runner/mailbox.ts',
    find: '    this.busy = true;\n',
    replace: '',
  },
  {
    name: 'sends "[object Object]" where a template names an object',
    test: 'test/nodes/template.test.ts',
    file: 'src/nodes/input/template.ts',
    find: 'if (text.includes(NO_TEXT)) throw new NoTextError(property, value);',
    replace: '',
  },
];
