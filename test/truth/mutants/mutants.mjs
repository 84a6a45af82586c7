/**
 * Defects that a payment client could well have, each a patch of one line. `find` must stand in the file exactly once.
 * Every one of them has to be caught by the truth test.
 */
export const MUTANTS = [
  {
    name: 'settles on a status AUTHORISED',
    file: 'src/core/lifecycle/terminal/transitions.ts',
    find: "when: all(terminalSays('approved'), isNotReversing),",
    replace: "when: all(any(terminalSays('approved'), gatewaySays('approved')), isNotReversing),",
  },
  {
    name: 'calls 90 s without a record "not charged" while the terminal may still wait',
    file: 'src/core/lifecycle/terminal/guards.ts',
    find: 'gateway.askedAt >= countedFrom(state) + RECOVERY_LIMIT + STATUS_LAG;',
    replace: 'gateway.askedAt >= countedFrom(state) + CARD_WINDOW;',
  },
  {
    name: 'believes "no record" before the lag of the status service has passed',
    file: 'src/core/lifecycle/terminal/guards.ts',
    find: 'gateway.askedAt >= endedAt + STATUS_LAG &&',
    replace: 'gateway.askedAt >= endedAt &&',
  },
  {
    name: 'believes "no record" about what the status service cannot know',
    file: 'src/core/api/schema/operation-rules.ts',
    find: "const keyed: OperationRule = { amount: 'required', original: 'none', honoursReference: false };",
    replace: "const keyed: OperationRule = { amount: 'required', original: 'none', honoursReference: true };",
  },
  {
    name: 'sends before the journal',
    file: 'src/core/engine/active-operations.ts',
    find: 'await this.options.journal.record(persisted(record));',
    replace: 'void this.options.journal.record(persisted(record)).catch(() => undefined);',
  },
  {
    name: 'sends the next attempt before the journal',
    file: 'src/core/lifecycle/terminal/transitions.ts',
    find: "effects: ['new-attempt', 'save', 'post'],",
    replace: "effects: ['new-attempt', 'post', 'save'],",
  },
  {
    name: 'sends although the journal could not take it',
    file: 'src/core/runner/runner.ts',
    find: 'if (this.unpersisted) this.dropPost(',
    replace: 'if (this.unpersisted === undefined) this.dropPost(',
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
    name: 'uses its reference again after a busy answer',
    file: 'src/core/runner/terminal-runner.ts',
    find: 'references: [...this.record.references, this.context.newId()]',
    replace: 'references: [...this.record.references, this.record.operationId]',
  },
  {
    name: 'uses its reference again after a 429',
    file: 'src/core/api/back-office.ts',
    find: "const once = 'transactionReference' in body;",
    replace: 'const once = false;',
  },
  {
    name: 'takes a partial approval for the whole',
    file: 'src/core/operation/verdict.ts',
    find: "return { outcome: 'partial', moneyMoved: 'partly', final: true, retry: 'remainder-only' };",
    replace: "return { outcome: 'approved', moneyMoved: 'yes', final: true, retry: 'never' };",
  },
  {
    name: 'takes the question on the screen for a partial approval',
    file: 'src/core/lifecycle/terminal/guards.ts',
    find: "if (terminal.via === 'callback') return true;",
    replace: 'return true;',
  },
  {
    name: 'forgets open operations at the start',
    file: 'src/core/engine/active-operations.ts',
    find: 'const open = await this.options.journal.open(this.options.environment);',
    replace: 'const open: OperationRecord[] = [];',
  },
  {
    name: 'drops a late correction',
    file: 'src/core/lifecycle/terminal/transitions.ts',
    find: "const UNSETTLED: readonly Phase[] = ['sending', 'waiting', 'watching'];",
    replace: "const UNSETTLED: readonly Phase[] = ['sending', 'waiting'];",
  },
  {
    name: 'never corrects an unknown that the gateway turns out to have',
    file: 'src/core/lifecycle/terminal/transitions.ts',
    find: "when: all(watchIsOver, gatewaySays('approved', 'partial')),",
    replace: 'when: () => false,',
  },
  {
    name: 'reverses the requested amount of a partial approval',
    file: 'src/core/runner/terminal-probes.ts',
    find: '{ originalGuid: record.transactionId }',
    replace:
      '{ originalGuid: record.transactionId, amount: (Number(record.request.amount) / 100).toFixed(2), currency: record.request.currency }',
  },
  {
    name: 'starts payments beside the rate limit',
    file: 'src/core/api/transport/transport.ts',
    find: "return endpoint !== 'read' || this.countReads;",
    replace: "return endpoint === 'back-office' || this.countReads;",
  },
  {
    name: 'delivers before the journal has it',
    file: 'src/core/runner/outbox.ts',
    find: 'if (!this.withheld) this.deliver(false);',
    replace: 'if (this.withheld !== undefined) this.deliver(false);',
  },
  {
    name: 'does not note what it has delivered',
    file: 'src/core/runner/runner.ts',
    find: "this.mailbox.enqueueFirst({ event: { type: 'delivered', sequence }, ...SAVE })",
    replace: "this.mailbox.enqueueFirst({ event: { type: 'tick' } })",
  },
  {
    name: 'corrects without saying so',
    file: 'src/core/runner/outbox.ts',
    find: 'if (pending.correction || this.hasDelivered) payload.correction = true;',
    replace: 'if (pending.correction && this.hasDelivered) payload.source = pending.source;',
  },
  {
    name: 'repeats after a crash without saying so',
    file: 'src/core/runner/outbox.ts',
    find: 'if (again) payload.redelivered = true;',
    replace: 'if (again) payload.source = pending.source;',
  },
  {
    name: 'takes its own reversal for done when it was sent',
    file: 'src/core/runner/terminal-probes.ts',
    find: 'return answer.approved ? reversed : undefined;\n    } catch (error) {',
    replace: 'return answer.approved ? reversed : undefined;\n    } catch (error) {\n      return reversed;',
  },
  {
    name: 'keeps a late approval that the policy wants back',
    file: 'src/core/lifecycle/terminal/guards.ts',
    find: "export const lateIsReversed: Guard = ({ policies }) => policies.lateApproval === 'reverse';",
    replace: 'export const lateIsReversed: Guard = () => false;',
  },
  {
    name: 'believes a FAILED of the terminal',
    file: 'src/core/lifecycle/terminal/transitions.ts',
    find: "when: any(terminalSays('declined', 'cancelled'), gatewaySettles('declined', 'cancelled', 'returned')),",
    replace:
      "when: any(terminalSays('declined', 'cancelled', 'failed', 'undefined'), gatewaySettles('declined', 'cancelled', 'returned')),",
  },
  {
    name: 'leaves its lease running after the last operation',
    file: 'src/core/engine/lease-keeper.ts',
    find: 'if (!this.again) this.cancelBeat();',
    replace: '',
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
    name: 'adds to a hold a second time after a lost answer',
    file: 'src/core/lifecycle/back-office/rules.ts',
    find: "'preauthorization/increase': { resend: false,",
    replace: "'preauthorization/increase': { resend: true,",
  },
  {
    name: 'charges a token a second time after a lost answer',
    file: 'src/core/lifecycle/back-office/rules.ts',
    find: "'moto/sale': { resend: false,",
    replace: "'moto/sale': { resend: true,",
  },
  {
    name: 'closes whichever batch is open a second time after a lost answer',
    file: 'src/core/lifecycle/back-office/lifecycle.ts',
    find: 'if (resend && !state.notResendable && now',
    replace: 'if (resend && now',
  },
  {
    name: 'takes a refusal after a lost answer for the answer',
    file: 'src/core/lifecycle/back-office/lifecycle.ts',
    find: 'return state.lostAt === undefined ? refuse(state, event) : refuseAfterLoss(state, event.error, now);',
    replace: 'return refuse(state, event);',
  },
  {
    name: 'takes what is cancelled after a lost answer for never done',
    file: 'src/core/lifecycle/back-office/lifecycle.ts',
    find: 'const isQuestion = state.lostAt !== undefined && !RULES[state.operation].read;',
    replace: 'const isQuestion = false;',
  },
  {
    name: 'handles two envelopes of one operation at once',
    file: 'src/core/runner/mailbox.ts',
    find: '    this.busy = true;\n',
    replace: '',
  },
];
