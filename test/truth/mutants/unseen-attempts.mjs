/** Attempts that the status service does not know by a reference of ours: what nobody can be asked about. */
export const UNSEEN_ATTEMPTS = [
  {
    name: 'asks for the next attempt by the reference that the result of the one before named',
    test: 'test/core/engine/attempts/named-by-the-first.test.ts',
    file: 'src/core/runner/terminal/terminal-runner.ts',
    find: '{ ...attempt, result: undefined }',
    replace: '{ ...attempt }',
  },
  {
    name: 'tells what nobody can be asked about as not done after a 429',
    test: 'test/core/engine/attempts/throttled-unseen.test.ts',
    file: 'src/core/lifecycle/terminal/guards.ts',
    find: 'state.throttled !== undefined && movesMoney',
    replace: 'state.throttled === null && movesMoney',
  },
  {
    name: 'hears no callback of an attempt that nobody can be asked about after the recovery limit',
    test: 'test/core/engine/attempts/throttled-unseen.test.ts',
    file: 'src/core/lifecycle/terminal/earlier-attempts.ts',
    find: "phase === 'watching' && noneBegan === true;",
    replace: "phase === 'watching' && noneBegan === null;",
  },
  {
    name: 'leaves a payment open although each attempt has ended without a charge',
    test: 'test/core/engine/attempts/throttled-unseen.test.ts',
    file: 'src/core/lifecycle/terminal/guards.ts',
    find: 'return endedAttempts(state).length < retries + (isLatestOpen ? 1 : 0);',
    replace: 'return endedAttempts(state).length < retries + (isLatestOpen ? 1 : 99);',
  },
];
