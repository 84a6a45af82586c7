/** What the flow is told, when, and in which words and amounts. */
export const TELLING = [
  {
    name: 'takes a partial approval for the whole',
    file: 'src/core/operation/verdict.ts',
    find: "return { outcome: 'partial', moneyMoved: 'partly', final: true, retry: 'remainder-only' };",
    replace: "return { outcome: 'approved', moneyMoved: 'yes', final: true, retry: 'never' };",
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
    name: 'says of what moves no money that it may have moved some',
    file: 'src/core/operation/verdict.ts',
    find: "  return { ...verdict, moneyMoved: 'no', ...(verdict.final",
    replace: '  return { ...verdict, ...(verdict.final',
  },
  {
    name: 'calls every refusal safe to try again',
    file: 'src/core/operation/retry.ts',
    find: "return BY_CODE.get(code) ?? 'after-change';",
    replace: "return BY_CODE.get(code) ?? 'safe';",
  },
  {
    name: 'calls a decline safe to try again',
    file: 'src/core/operation/verdict.ts',
    find: "const retry = needsChange ? 'after-change' : 'after-cardholder';",
    replace: "const retry = 'safe';",
  },
  {
    name: 'calls what was done safe to try again',
    file: 'src/core/operation/verdict.ts',
    find: "return { ...successOf(kind), final: true, retry: 'never' };",
    replace: "return { ...successOf(kind), final: true, retry: 'safe' };",
  },
  {
    name: 'tells a decline with the whole amount as its total',
    world: 'hostile',
    file: 'src/core/delivery/terminal-payload.ts',
    find: 'total: totalOf(verdict, result?.totalAmount ?? requested, state.gateway?.net),',
    replace: 'total: result?.totalAmount || requested,',
  },
  {
    name: 'writes every currency with two decimals',
    world: 'hostile',
    file: 'src/core/delivery/result-payload.ts',
    find: '[name, toMajorString(value, currency)]',
    replace: "[name, toMajorString(value, 'EUR')]",
  },
  {
    name: 'does not tell the surcharge of a capture',
    file: 'src/core/runner/back-office/back-office-send.ts',
    find: 'surcharge: read.surcharge?.amount',
    replace: 'surcharge: undefined',
  },
  {
    name: 'tells the whole where a part is left',
    file: 'src/core/delivery/terminal-payload.ts',
    find: 'return net ?? whole;',
    replace: 'return whole;',
  },
];
