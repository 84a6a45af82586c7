import type { ResultPayload } from '../../../src/core/delivery/payload.js';
import { toMajor } from '../decimals.js';
import type { Asked } from '../flow.js';
import { type Balance, balanceOf } from '../ledger.js';
import type { Case } from './case.js';
import { namesNoAmount } from './money.js';

const NAMES = ['requested', 'total', 'tip', 'due', 'hold', 'surcharge', 'tax'] as const;
const DONE = new Set(['approved', 'completed', 'partial']);

/** Every amount that is told: both ways of writing it agree, and it is what was asked for, or what the bank has. */
export function* amounts({ asked, own, all, effect }: Case, isMixed: boolean): Generator<string> {
  for (const { telling, ledger } of asked.heard) {
    const { payload } = telling;
    if (payload.amount === undefined) continue;
    yield* spelling(payload.amount);
    yield* asAskedFor(payload, asked);
    yield* difference(payload, asked);
    const { minor } = payload.amount;
    const isDone = DONE.has(payload.outcome) || (payload.outcome === 'refunded' && payload.moneyMoved === 'yes');
    if (payload.moneyMoved === 'no' && payload.final && !isDone && minor.total !== 0)
      yield `told ${payload.outcome}, and a total of ${minor.total}`;
    if (payload.final && isDone && payload.error === undefined) {
      const now = (entries: Case['all']): Balance => balanceOf(entries.filter(({ seq }) => seq <= ledger));
      const { moved, held } = now(own);
      // Another attempt may have charged as well, and goes back next.
      const alone = now(
        own.filter(({ transactionId, originalId }) => [transactionId, originalId].includes(payload.transactionId)),
      );
      if (effect === undefined) yield* parts(payload, [held, now(all).held, alone.held], hasTipScreen(asked));
      else if (!isMixed && payload.outcome !== 'partial' && own.length > 0 && !isOpenAmount(payload))
        yield* ofChange(payload, moved === 0 ? held : moved);
    }
  }
}

/** A tip replaces the one before, and a result that names no amount does not say what came on top. */
function isOpenAmount(payload: ResultPayload): boolean {
  return payload.operation.includes('tip') || namesNoAmount(payload);
}

/** Tip, surcharge and tax explain a total above what was asked for: nobody has to look at that. */
function* difference({ amount, error }: ResultPayload, { request, heard }: Asked): Generator<string> {
  if (request.kind !== 'terminal' || amount === undefined || error?.code !== 'AMOUNT_DIFFERS') return;
  const { requested, total, tip = 0, surcharge = 0, tax = 0 } = amount.minor;
  // Once the amount of the status service was told, the journal keeps it in place of the result that names another one.
  const wasShown = heard.some(
    ({ telling: { payload } }) => payload.outcome === 'provisional' && payload.amount?.minor.total === total,
  );
  if (!wasShown && total <= requested + tip + surcharge + tax)
    yield `told that the amount differs: ${total}, and ${requested} was asked for`;
}

function* spelling(amount: NonNullable<ResultPayload['amount']>): Generator<string> {
  for (const name of NAMES) {
    const minor = amount.minor[name];
    const major = amount[name];
    if (minor === undefined && major === undefined) continue;
    if (minor === undefined || major === undefined || toMajor(minor, amount.currency) !== major)
      yield `${name} is ${major} and ${minor} ${amount.currency}`;
  }
}

function* asAskedFor({ amount }: ResultPayload, { request }: Asked): Generator<string> {
  if (request.kind !== 'terminal' || request.order.request.amount === undefined || amount === undefined) return;
  const { amount: asked, currency } = request.order.request;
  if (amount.minor.requested !== Number(asked) || amount.currency !== currency)
    yield `told that ${amount.requested} ${amount.currency} was asked for, and it was ${asked} minor units of ${currency}`;
}

/** Of a payment: total, tip, surcharge, what is due and what is held fit together. `held`: by us, with what others added, and by one attempt. */
function* parts(payload: ResultPayload, held: readonly number[], withTipScreen: boolean): Generator<string> {
  const { outcome, amount, operation } = payload;
  if (amount === undefined) return;
  const { requested, total, tip = 0, surcharge = 0, due = 0, hold } = amount.minor;
  const whole = requested + tip + surcharge;
  // A tip that was chosen on the screen is due as well, whether or not the result names it.
  if (outcome === 'partial' && (tip === 0 && withTipScreen ? due < whole - total : due !== whole - total))
    yield `told ${total} of ${whole}, and that ${due} is due`;
  if (outcome === 'approved' && !namesNoAmount(payload) && total !== whole && total !== requested + surcharge)
    yield `told a total of ${total}: ${requested} asked for, tip ${tip}, surcharge ${surcharge}`;
  if (operation.endsWith('reAuthorization') && hold !== undefined && !held.includes(hold))
    yield `told a hold of ${hold}, and ${held[0]} is held`;
}

/** A refund, a capture, a change of a hold: as much as it moved or held. */
function* ofChange({ amount, operation, error }: ResultPayload, change: number): Generator<string> {
  if (amount === undefined || error !== undefined || operation === 'reversal' || operation.endsWith('Reversal')) return;
  if (amount.minor.total !== Math.abs(change))
    yield `told a total of ${amount.minor.total}, and the bank changed by ${change}`;
}

function hasTipScreen({ request }: Asked): boolean {
  return request.kind === 'terminal' && request.order.request.tipConfiguration !== undefined;
}
