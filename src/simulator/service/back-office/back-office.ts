import type { Gateway } from '../../gateway/gateway.js';
import type { Holds } from '../../gateway/holds.js';
import type { Problem, Reversals } from '../../gateway/reversals.js';
import type { FaultKind } from '../../infra/faults.js';
import type { Merchant } from '../../model/merchant.js';
import { type Echo, NO_ECHO, type Transaction } from '../../model/transaction.js';
import { fromMajor } from '../../model/units.js';
import type { Variants } from '../../model/variants.js';
import { type Body, badAmount, checked } from '../../wire/checks.js';
import { type Answer, json } from '../../wire/errors.js';
import { holdAnswer, reversalAnswer } from './answers.js';
import type { BatchOperations } from './batch.js';
import type { Moto } from './moto.js';
import type { OddAnswers } from './odd-answers.js';
import { holdRefusal, refusalAnswer } from './refusals.js';
import {
  type BatchCommand,
  captureBody,
  increaseBody,
  motoRefundBody,
  motoReversalBody,
  motoSaleBody,
  reversalBody,
  tipBody,
} from './request-rules.js';
import type { Tips } from './tip.js';
import type { TokenOperations } from './token.js';

export interface BackOfficeParts {
  gateway: Gateway;
  reversals: Reversals;
  holds: Holds;
  tips: Tips;
  moto: Moto;
  tokenDesk: TokenOperations;
  batchDesk: BatchOperations;
  variants: Variants;
  oddAnswers: OddAnswers;
}

/** Operations without a terminal: the HTTP response is the final result. */
export class BackOffice {
  constructor(private readonly parts: BackOfficeParts) {}

  /** The response; undefined if the path is not one of the back office's. `body` is parsed JSON. */
  answer(method: string, segments: readonly string[], body: unknown, merchant: Merchant): Answer | undefined {
    const [first, second, third] = segments;
    if (method === 'GET') {
      const isToken = first === 'transactions' && third === 'token' && segments.length === 3;
      return isToken && second !== undefined ? this.parts.tokenDesk.fetch(second, merchant) : undefined;
    }
    const endpoint = `${method} /${(third === undefined ? segments : [first, third]).join('/')}`;
    return this.parts.oddAnswers.around(endpoint, (fault) => this.act(segments, body, merchant, fault));
  }

  private act(
    segments: readonly string[],
    body: unknown,
    merchant: Merchant,
    fault: FaultKind | undefined,
  ): Answer | undefined {
    const [first, second, third] = segments;
    const { moto, batchDesk } = this.parts;
    if (first === 'transactions' && third === 'tip-adjustment' && second !== undefined) {
      return checked(tipBody, body, (fields) => this.adjustTip(second, fields, merchant));
    }
    switch (segments.join('/')) {
      case 'reversal':
        return checked(reversalBody, body, (fields) => this.reverse(fields, merchant));
      case 'moto/sale':
        return checked(motoSaleBody, body, (fields) => moto.sale(fields, merchant));
      case 'moto/refund':
        return checked(motoRefundBody, body, (fields) => moto.refund(fields, merchant));
      case 'moto/reversal':
        return checked(motoReversalBody, body, (fields) => moto.reverse(fields, merchant));
      case 'preauthorization/capture':
        return checked(captureBody, body, (fields) => this.capture(fields, merchant, fault));
      case 'preauthorization/increase':
        return checked(increaseBody(this.parts.variants), body, (fields) => this.increase(fields, merchant, fault));
      case 'batch/close':
      case 'batch/summary':
      case 'batch/detail':
        return batchDesk.answer(second as BatchCommand, body, merchant);
      default:
        return undefined;
    }
  }

  private reverse({ originalGuid, amount, currency }: Body, merchant: Merchant): Answer {
    const minor = amount === undefined ? undefined : fromMajor(String(amount), String(currency));
    if (amount !== undefined && !(minor !== undefined && minor > 0)) return badAmount('/amount');
    const done = this.parts.reversals.reverse({
      merchant,
      originalId: String(originalGuid),
      amount: minor,
      currency: currency === undefined ? undefined : String(currency),
      serial: '',
    });
    return 'code' in done ? refusalAnswer(done) : json(200, reversalAnswer(done, this.parts.variants));
  }

  private capture(
    { originalGuid, capturedAmount, tipAmount = '0', customerReference }: Body,
    merchant: Merchant,
    fault: FaultKind | undefined,
  ): Answer {
    const originalId = String(originalGuid);
    const currency = this.currencyOf(originalId, merchant);
    const captured = fromMajor(String(capturedAmount), currency);
    const tip = fromMajor(String(tipAmount), currency);
    if (captured === undefined || captured === 0) return badAmount('/capturedAmount');
    if (tip === undefined) return badAmount('/tipAmount');
    const request = { merchant, originalId, serial: '', echo: echoOf(customerReference) };
    const taken = fault === 'capture-took-less' ? halfOf(captured) : captured;
    const done = this.parts.holds.capture(request, taken, tip);
    return this.holdOutcome(done);
  }

  private increase(
    { originalGuid, increaseAmount, subtract, customerReference }: Body,
    merchant: Merchant,
    fault: FaultKind | undefined,
  ): Answer {
    const originalId = String(originalGuid);
    const delta = fromMajor(String(increaseAmount), this.currencyOf(originalId, merchant));
    if (delta === undefined || delta === 0) return badAmount('/increaseAmount');
    const request = { merchant, originalId, serial: '', echo: echoOf(customerReference) };
    const added = fault === 'increase-took-less' ? halfOf(delta) : delta;
    const done = this.parts.holds.adjust(request, subtract === undefined ? added : -added);
    return this.holdOutcome(done);
  }

  private holdOutcome(done: Transaction | Problem): Answer {
    const { gateway, variants } = this.parts;
    return 'code' in done ? holdRefusal(done, variants) : json(200, holdAnswer(done, gateway, variants));
  }

  private adjustTip(transactionId: string, { amount }: Body, merchant: Merchant): Answer {
    const tip = fromMajor(String(amount), this.currencyOf(transactionId, merchant));
    return tip === undefined ? badAmount('/amount') : this.parts.tips.adjust(transactionId, tip, merchant);
  }

  /** For an unknown transaction any currency will do: the request is refused anyway. */
  private currencyOf(transactionId: string, merchant: Merchant): string {
    return this.parts.gateway.chains.find(transactionId, merchant)?.currency ?? 'EUR';
  }
}

function echoOf(customerReference: unknown): Echo | undefined {
  return typeof customerReference === 'string' ? { ...NO_ECHO, customerReference } : undefined;
}

/** At least one minor unit. */
function halfOf(minor: number): number {
  return Math.max(1, Math.floor(minor / 2));
}
