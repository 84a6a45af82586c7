import type { Gateway } from '../../gateway/gateway.js';
import type { Merchant } from '../../model/merchant.js';
import { amountsOf, type Transaction, wasApproved } from '../../model/transaction.js';
import { triggerFor } from '../../model/triggers.js';
import { type Answer, flatError, json } from '../../wire/errors.js';
import { notOffered, refusalAnswer } from './refusals.js';

/** So soon after its sale a tip may be answered with 200 and not be done, ms. */
const EARLY = 60_000;

/** Tips added after the sale. The last one before the batch closes counts. */
export class Tips {
  constructor(
    private readonly gateway: Gateway,
    private readonly now: () => number,
  ) {}

  /** `tip` in minor units; 0 removes it. */
  adjust(transactionId: string, tip: number, merchant: Merchant): Answer {
    const { variants } = this.gateway;
    const isOffered = merchant.group === 'B' || (merchant.group === 'S' && variants.groupSTip === 'accepted');
    if (!isOffered) return notOffered('Tip adjustment');
    const sale = this.gateway.chains.find(transactionId, merchant);
    const problem = sale === undefined ? 'No sale found to adjust' : this.problemOf(sale);
    if (sale === undefined || problem !== undefined) {
      return refusalAnswer({ code: '3153', message: problem ?? 'No sale found to adjust' });
    }
    const trigger = merchant.demo ? triggerFor(tip) : undefined;
    if (trigger?.outcome === 'declined')
      return refusalAnswer({ code: trigger.code, message: 'Tip adjustment declined' });
    if (trigger?.outcome === 'failed') return flatError(504, 'The gateway did not answer in time');

    if (variants.earlyTip === 'ignored' && this.now() < sale.at + EARLY) return adjusted();
    if (variants.tipAfterReturn === 'ignored' && hasGoneBack(sale)) return adjusted();
    const { amounts } = sale;
    const moved = tip - amounts.tip;
    const { tipEntry } = variants;
    if (tipEntry === 'own') {
      const own = amountsOf(tip, { tip });
      this.gateway.followUp(sale, { type: 'TIP_ADJUSTMENT', amounts: own, kind: 'tip', moved, held: 0 });
    } else this.gateway.move(sale, 'tip', moved, 0);
    amounts.total += moved;
    amounts.tip = tip;
    if (tipEntry === 'in-sale') this.gateway.setStatus(sale, sale.status);
    return adjusted();
  }

  private problemOf(sale: Transaction): string | undefined {
    const isSale = sale.type === 'SALE' || sale.type === 'SALE_AND_TOKENIZE_CARD' || sale.type === 'MOTO_SALE';
    if (!isSale || !wasApproved(sale)) return 'No sale found to adjust';
    const isRefused = this.gateway.variants.tipAfterReturn === 'refused';
    if (isRefused && hasGoneBack(sale)) return 'The sale was reversed or refunded';
    if (this.gateway.batches.isSettled(sale)) return 'The batch of the sale is closed';
    const canadianDebit = sale.merchant.group === 'S' && sale.card?.scheme === 'INTERAC';
    return canadianDebit ? 'Not possible for Canadian debit' : undefined;
  }
}

function hasGoneBack({ reversed, refunded }: Transaction): boolean {
  return reversed > 0 || refunded > 0;
}

function adjusted(): Answer {
  return json(200, { statusMessage: 'Tip was adjusted' });
}
