/** What the flow decided in advance, and what goes back for it. */
export const POLICY = [
  {
    name: 'asks a terminal to give back what another system has given back',
    world: 'hostile',
    situation: 'givenBackTwice',
    file: 'src/core/runner/terminal/terminal-attempt.ts',
    find: '(await givesTooMuch(current(), context, looking)))',
    replace: "(await givesTooMuch(current(), context, looking)) && current().operation === 'sale')",
  },
  {
    name: 'looks at a chain that does not show yet what we have given back ourselves',
    test: 'test/core/engine/look-before-terminal.test.ts',
    file: 'src/core/runner/terminal/look-before.ts',
    find: 'if (lag > 0) await sleep',
    replace: 'if (lag > STATUS_LAG) await sleep',
  },
  {
    name: 'reverses the requested amount of a partial approval',
    file: 'src/core/runner/terminal/terminal-probes.ts',
    find: '        { originalGuid },',
    replace:
      '{ originalGuid, amount: (Number(record.request.amount) / 100).toFixed(2), currency: record.request.currency },',
  },
  {
    name: 'takes its own reversal for done when it was sent',
    file: 'src/core/runner/terminal/terminal-probes.ts',
    find: "if (isHandled) return { event: { type: 'handled' } };\n",
    replace: 'return reversed;\n',
  },
  {
    name: 'takes the answer about another payment for its own reversal by policy',
    world: 'hostile',
    situation: 'mixedUpAnswers',
    file: 'src/core/runner/terminal/terminal-probes.ts',
    find: 'isProved && !(await this.isOfAnother(record, originalGuid, answer))',
    replace: 'isProved',
  },
  {
    name: 'takes back by policy what another system has given back before',
    test: 'test/core/engine/reversal-of-what-went-back.test.ts',
    file: 'src/core/runner/terminal/terminal-probes.ts',
    find: "new Set(['cancelled', 'returned'])",
    replace: "new Set(['cancelled'])",
  },
  {
    name: 'keeps a late approval that the policy wants back',
    file: 'src/core/lifecycle/terminal/guards.ts',
    find: "export const lateIsReversed: Guard = ({ policies }) => policies.lateApproval === 'reverse';",
    replace: 'export const lateIsReversed: Guard = () => false;',
  },
  {
    name: 'reverses by policy what it may have told before a backup was restored',
    test: 'test/core/lifecycle/taken-up.test.ts',
    file: 'src/core/lifecycle/terminal/state.ts',
    find: 'return startsPayment(operation) && !mayBeBackup && !onlyWatch;',
    replace: 'return startsPayment(operation) && !onlyWatch;',
  },
  {
    name: 'keeps a late approval once the service was another one meanwhile',
    file: 'src/core/lifecycle/terminal/guards.ts',
    find: 'states.mayTakeBack(state) && state.reversing === undefined;',
    replace:
      "states.mayTakeBack(state) && state.reversing === undefined && state.reportedError?.code !== 'SERVICE_CHANGED';",
  },
  {
    name: 'takes "already reversed" for its own, whoever did it',
    world: 'hostile',
    situation: 'secondCharges',
    file: 'src/core/lifecycle/terminal/earlier-attempts.ts',
    find: "return meaning === 'returned' && net === 0;",
    replace: 'return true;',
  },
  {
    name: 'believes a reversal whose amount nobody can read',
    test: 'test/core/engine/doubtful-reversal.test.ts',
    file: 'src/core/runner/terminal/terminal-probes.ts',
    find: 'return back === undefined ? Boolean(amount) :',
    replace: 'return back === undefined ? false :',
  },
  {
    name: 'takes the release of a hold for the reversal of a sale',
    test: 'test/core/engine/doubtful-reversal.test.ts',
    file: 'src/core/runner/terminal/terminal-probes.ts',
    find: 'answer.approved && provesReversal(record, answer) &&',
    replace: 'answer.approved && provesReversal !== undefined &&',
  },
];
