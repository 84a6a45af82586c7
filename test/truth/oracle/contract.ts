import type { Delivery } from '../../../src/core/delivery/listener.js';
import type { Asked } from '../flow.js';

/** What each outcome says beside itself: the output, `moneyMoved`, `final` and `retry`. */

interface Rule {
  exit: string;
  moneyMoved: string;
  final: boolean;
  retry: readonly string[];
}

const HOLDING = new Set([
  'preAuthorization',
  'moToPreAuthorization',
  'preAuthorizationIncrease',
  'preauthorization/increase',
  'preAuthorizationDecrease',
  'preauthorization/decrease',
]);
/** They move none and hold none, however they end. */
export const WITHOUT_MONEY: ReadonlySet<string> = new Set([
  'tokenizeCard',
  'cardPan',
  'printReceipt',
  'token',
  'batch/close',
  'batch/summary',
  'batch/detail',
]);
/** Settings, capability or state have to be mended first. */
const AFTER_CHANGE = new Set(
  [
    '1004',
    '3051',
    '3052',
    '3107',
    '3109',
    '3112',
    '3152',
    '3153',
    '3154',
    '3155',
    '3156',
    '3207',
    '3208',
    '3209',
  ].concat(['3210', '3211', '3212', '3213', '3214', '3215', '4066', '5001', '5252', 'TOKENIZATION_NOT_ENABLED']),
);

const no = (retry: readonly string[], exit = 'not-done'): Rule => ({ exit, moneyMoved: 'no', final: true, retry });
const OPEN: Rule = { exit: 'needs-attention', moneyMoved: 'unknown', final: false, retry: ['after-recovery'] };

export function* contract({ heard }: Asked): Generator<string> {
  for (const { telling } of heard) {
    const { exit, payload } = telling;
    const { outcome, moneyMoved, final, retry } = payload;
    if (exit === 'needs-attention' && outcome !== 'partial' && payload.error === undefined)
      yield `told ${outcome} on "${exit}" without the reason why a person must look`;
    const rules = rulesFor(telling);
    const fits = (rule: Rule): boolean =>
      rule.exit === exit && rule.moneyMoved === moneyMoved && rule.final === final && rule.retry.includes(retry);
    if (rules.some(fits)) continue;
    const code = payload.error === undefined ? '' : `, ${payload.error.code}`;
    const last = final ? 'final' : 'not final';
    yield `told ${outcome}${code} on "${exit}" with money moved ${moneyMoved}, ${last}, retry ${retry}`;
  }
}

function rulesFor({ payload }: Delivery): readonly Rule[] {
  const { outcome, operation, error, moneyMoved } = payload;
  const moves = HOLDING.has(operation) || WITHOUT_MONEY.has(operation) ? 'no' : 'yes';
  const done: Rule = { exit: 'done', moneyMoved: moves, final: true, retry: ['never'] };
  const again = AFTER_CHANGE.has(error?.code ?? '') ? ['after-change'] : ['safe', 'after-change'];
  switch (outcome) {
    case 'approved':
      return [
        error === undefined || error.code === 'SECOND_ATTEMPT_REVERSED' ? done : { ...done, exit: 'needs-attention' },
      ];
    case 'completed':
      return [{ ...done, moneyMoved: 'no' }];
    case 'refunded':
      if (moneyMoved === 'no') return [no(['never'])];
      return [error?.code === 'AMOUNT_DIFFERS' ? { ...done, exit: 'needs-attention' } : done];
    case 'partial':
      return [
        {
          exit: 'needs-attention',
          moneyMoved: moves === 'no' ? 'no' : 'partly',
          final: true,
          retry: ['remainder-only'],
        },
        { exit: 'needs-attention', moneyMoved, final: true, retry: error === undefined ? [] : ['never'] },
      ];
    case 'declined':
      return [no(AFTER_CHANGE.has(error?.code ?? '') ? ['after-change'] : ['after-cardholder', 'after-change'])];
    case 'cancelled':
      return [no(['safe'])];
    case 'not-charged':
      return [no(again), no(again, 'mistake')];
    case 'failed':
      return [no(again), OPEN];
    case 'refused':
      return [
        no(error?.code === 'BATCH_ALREADY_CLOSED' ? ['never'] : again),
        no(['safe', 'after-change', 'never'], 'mistake'),
        { ...no(['after-recovery']), final: false },
      ];
    case 'unknown':
      return [...openRules(error?.code, WITHOUT_MONEY.has(operation))];
    case 'provisional':
      return [OPEN];
  }
}

function openRules(code: string | undefined, isWithoutMoney: boolean): Rule[] {
  if (isWithoutMoney)
    return [
      // A second close without a number could close the next batch.
      { ...OPEN, moneyMoved: 'no', final: true, retry: code === 'WATCH_ENDED' ? ['safe', 'never'] : ['safe'] },
      { ...OPEN, moneyMoved: 'no' },
    ];
  return code === 'WATCH_ENDED' ? [{ ...OPEN, final: true, retry: ['after-recovery', 'never'] }] : [OPEN];
}
