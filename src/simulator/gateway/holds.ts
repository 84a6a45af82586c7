import type { Merchant } from '../model/merchant.js';
import { amountsOf, type Echo, type Transaction } from '../model/transaction.js';
import type { Gateway } from './gateway.js';
import type { Problem } from './reversals.js';

/** Changes of a pre-authorisation's hold: increase, decrease and capture. */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Where the service knows a repeated change from a new one. */
const REPETITION_WINDOW = 60_000;

export interface HoldRequest {
  merchant: Merchant;
  originalId: string;
  serial: string;
  echo?: Echo;
}

export class Holds {
  constructor(
    private readonly gateway: Gateway,
    private readonly now: () => number,
  ) {}

  /** Amounts in minor units. A surcharge comes on top of what the hold limits. */
  capture(request: HoldRequest, captured: number, tip: number): Transaction | Problem {
    const hold = this.openHold(request);
    if ('code' in hold) return hold;
    const { variants } = this.gateway;
    const limited = tip === 0 || variants.captureTip === 'on-top' ? captured : captured + tip;
    if (limited > hold.amounts.hold) return { code: '3215', message: 'The capture exceeds the current hold' };
    const surcharge = this.gateway.surchargeOn(captured + tip);
    const total = captured + tip + surcharge;
    const { hold: held } = hold.amounts;
    const change = this.changesOf(hold).at(-1);
    const capture = this.gateway.followUp(hold, {
      type: 'PRE_AUTHORIZATION_CAPTURE',
      originalId: change !== undefined && variants.captureOriginal === 'increase' ? change.id : undefined,
      amounts: amountsOf(captured, { total, tip, surcharge, captured, hold: held }),
      kind: 'capture',
      moved: total,
      held: -held,
      serial: request.serial,
      echo: request.echo,
    });
    Object.assign(hold.amounts, { hold: 0, captured, tip });
    this.gateway.setStatus(hold, 'CAPTURED');
    return capture;
  }

  /** `delta` in minor units, negative to decrease. Deltas add up. */
  adjust(request: HoldRequest, delta: number): Transaction | Problem {
    const hold = this.openHold(request);
    if ('code' in hold) return hold;
    const { merchant } = request;
    const repeated = this.changesOf(hold).at(-1);
    const isRepetition = repeated?.amounts.increase === delta && this.now() - repeated.at < REPETITION_WINDOW;
    if (isRepetition && this.gateway.variants.repeatedIncrease === 'once') return repeated;
    const scheme = hold.card?.scheme;
    if (merchant.group === 'S' && (scheme === 'INTERAC' || scheme === 'AMEX')) {
      return { code: '3211', message: 'The card does not support a change of the hold' };
    }
    const held = hold.amounts.hold + delta;
    if (held <= 0)
      return { code: '3212', message: 'The decrease would bring the hold to zero or below; use a reversal' };
    const change = this.gateway.followUp(hold, {
      type: 'PRE_AUTHORIZATION_INCREASE',
      amounts: amountsOf(Math.abs(delta), { hold: held, increase: delta }),
      kind: 'hold-change',
      moved: 0,
      held: delta,
      serial: request.serial,
      echo: request.echo,
    });
    Object.assign(hold.amounts, { hold: held, increase: delta });
    this.gateway.setStatus(hold, 'AUTHORISED');
    return change;
  }

  /** Increases and decreases, oldest first. */
  private changesOf({ id, reference }: Transaction): Transaction[] {
    const { transactions = [] } = this.gateway.chains.chain(reference) ?? {};
    return transactions.filter(({ type, originalId }) => type === 'PRE_AUTHORIZATION_INCREASE' && originalId === id);
  }

  private openHold({ originalId, merchant }: HoldRequest): Transaction | Problem {
    const found = this.gateway.chains.find(originalId, merchant);
    if (found === undefined) {
      const { unknownId } = this.gateway.variants;
      const byShape = UUID.test(originalId) ? '3156' : '5001';
      return (unknownId === 'by-shape' ? byShape : unknownId) === '3156'
        ? { code: '3156', message: 'No pre-authorisation found' }
        : { code: '5001', message: 'Null pointer' };
    }
    if (found.type !== 'PRE_AUTHORIZATION') {
      return { code: '3207', message: 'The referenced transaction is not a pre-authorisation' };
    }
    if (found.status === 'CAPTURED') return { code: '3052', message: 'The authorisation is already completed' };
    if (found.status === 'AUTHORISED') return found;
    return { code: '3211', message: 'The pre-authorisation was declined or reversed' };
  }
}
