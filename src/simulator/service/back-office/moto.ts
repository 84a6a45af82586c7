import type { Clock, NewId } from '../../../core/base/seams.js';
import { failure, issuerDecline } from '../../gateway/decisions.js';
import type { Authorisation, Gateway } from '../../gateway/gateway.js';
import type { Reversals } from '../../gateway/reversals.js';
import type { Tokens } from '../../gateway/tokens.js';
import type { Faults } from '../../infra/faults.js';
import type { Card } from '../../model/cards.js';
import type { Merchant } from '../../model/merchant.js';
import { NO_ECHO, type Transaction } from '../../model/transaction.js';
import { fromMajor } from '../../model/units.js';
import type { Variants } from '../../model/variants.js';
import { type Body, badAmount } from '../../wire/checks.js';
import { type Answer, flatError, invalidBody, json } from '../../wire/errors.js';
import { isUuidV4 } from '../request-rules.js';
import { motoRefundAnswer, motoReversalAnswer, motoSaleAnswer } from './answers.js';
import { notOffered, refusalAnswer } from './refusals.js';

/** A refund of an older sale gets a 200, but no money moves. */
const SILENTLY_REFUSED_AFTER = 90 * 24 * 60 * 60 * 1000;

const DEFAULT_CHANGE_OF_MIND = 60_000;
/** As long as the service may act after its client has stopped waiting. */
const LATEST_CHANGE_OF_MIND = 110_000;

export interface MotoParts {
  now: () => number;
  clock: Clock;
  faults: Faults;
  newId: NewId;
  gateway: Gateway;
  reversals: Reversals;
  tokens: Tokens;
  variants: Variants;
}

/** Payments with a stored token, without card and terminal. */
export class Moto {
  constructor(private readonly parts: MotoParts) {}

  sale(body: Body, merchant: Merchant): Answer {
    const { tokens, variants } = this.parts;
    const refusal = this.refusalOf(body, merchant);
    if (refusal !== undefined) return refusal;
    if (merchant.group === 'S') return notOffered('A remote card-token sale');
    if (merchant.capabilities.cvvRequired) return refusalAnswer({ code: '3107', message: 'CVV is required' });
    const amount = fromMajor(String(body.amount), String(body.currency));
    if (amount === undefined || amount === 0) return badAmount('/amount');
    const card = tokens.redeem(String(body.cardToken), merchant);
    if (card === undefined) return TOKEN_FAILURE;
    const asked = this.attemptOf('MOTO_SALE', amount, card, '', body, merchant);
    if (this.failsAtFirst(asked)) return NO_ANSWER;
    const sale = this.authorise(asked);
    return this.answerFor(sale, motoSaleAnswer(sale, variants));
  }

  refund(body: Body, merchant: Merchant): Answer {
    const { gateway, tokens, variants, now } = this.parts;
    const refusal = this.refusalOf(body, merchant, body.originalGuid !== undefined);
    if (refusal !== undefined) return refusal;
    if (!merchant.capabilities.refundAllowed) return refusalAnswer({ code: '3153', message: 'Refund not allowed' });
    const amount = fromMajor(String(body.amount), String(body.currency));
    if (amount === undefined || amount === 0) return badAmount('/amount');
    const originalId = typeof body.originalGuid === 'string' ? body.originalGuid : '';
    const original = originalId === '' ? undefined : gateway.chains.find(originalId, merchant);
    if (originalId !== '' && original === undefined) {
      return refusalAnswer({ code: '3153', message: 'No transaction found to refund' });
    }
    const card = original === undefined ? tokens.redeem(String(body.cardToken), merchant) : original.card;
    if (card === undefined) return TOKEN_FAILURE;
    const isOld = original !== undefined && now() - original.at > SILENTLY_REFUSED_AFTER;
    if (isOld && variants.oldRefund === 'not-done') {
      return json(200, { ...motoRefundAnswer(original, variants), guid: this.parts.newId(), originalGuid: originalId });
    }
    const asked = this.attemptOf('MOTO_REFUND', amount, { ...card, entry: 'CNP' }, originalId, body, merchant);
    const refund = this.authorise(asked);
    return this.answerFor(refund, motoRefundAnswer(refund, variants));
  }

  /** Deprecated by the service in favour of `/reversal`. */
  reverse(body: Body, merchant: Merchant): Answer {
    const refusal = this.refusalOf(body, merchant, true);
    if (refusal !== undefined) return refusal;
    const { originalGuid, currency } = body;
    const amount = fromMajor(String(body.amount), String(currency));
    if (amount === undefined || amount === 0) return badAmount('/amount');
    const originalId = String(originalGuid);
    const isMoto = this.parts.gateway.chains.find(originalId, merchant)?.type.startsWith('MOTO_') === true;
    if (!isMoto) return refusalAnswer({ code: '3153', message: 'No message found to reverse' });
    const done = this.parts.reversals.reverse({
      merchant,
      originalId,
      amount,
      currency: String(currency),
      serial: '',
    });
    return 'code' in done ? refusalAnswer(done) : json(200, motoReversalAnswer(done, this.parts.variants));
  }

  private refusalOf({ transactionReference }: Body, { capabilities }: Merchant, isLinked = false): Answer | undefined {
    if (!capabilities.supportsMoto) {
      return refusalAnswer({ code: 'MOTO_NOT_ENABLED', message: 'MOTO is not enabled for the merchant' });
    }
    if (isLinked && transactionReference !== undefined && this.parts.variants.linkedReference === 'refused') {
      return invalidBody([REFERENCE_ON_LINKED]);
    }
    return transactionReference === undefined || isUuidV4(transactionReference)
      ? undefined
      : flatError(400, 'transactionReference: wrong uuidv4 format');
  }

  /** The gateway gets no answer in time and puts it on record as FAILED; the bank has approved, and says so later. */
  private failsAtFirst(asked: Authorisation): boolean {
    const { clock, faults, gateway } = this.parts;
    const fault = faults.at('decision', { endpoint: 'POST /moto/sale', reference: asked.reference });
    if (fault?.kind !== 'failed-then-approved') return false;
    const failed = gateway.refuse(asked, failure('Connection to the authorisation provider failed'));
    const ms = Math.min(fault.ms ?? DEFAULT_CHANGE_OF_MIND, LATEST_CHANGE_OF_MIND);
    clock.after(ms, () => gateway.approveAfterAll(failed));
    return true;
  }

  private attemptOf(
    type: 'MOTO_SALE' | 'MOTO_REFUND',
    amount: number,
    card: Card,
    originalId: string,
    body: Body,
    merchant: Merchant,
  ): Authorisation {
    const { newId } = this.parts;
    const { currency, transactionReference, customerReference = '' } = body;
    return {
      id: newId(),
      reference: typeof transactionReference === 'string' ? transactionReference : newId(),
      merchant,
      serial: '',
      type,
      currency: String(currency),
      amount,
      tip: 0,
      card,
      verification: 'NOT_REQUIRED',
      cardToken: '',
      originalId,
      echo: { ...NO_ECHO, customerReference: String(customerReference) },
    };
  }

  private authorise(asked: Authorisation): Transaction {
    const { gateway } = this.parts;
    const answer = gateway.authorise(asked);
    return 'authenticate' in answer ? gateway.refuse(asked, issuerDecline(answer.authenticate)) : answer;
  }

  /** The simulated acquirer declines with a 400; a real one with a 200 and the issuer's code. */
  private answerFor({ decision, merchant }: Transaction, body: Record<string, unknown>): Answer {
    const { finStatus, errorMessage, statusMessage, issuerCode } = decision;
    if (finStatus === 'AUTHORISED') return json(200, body);
    const reason = /\((\d{4})\)$/.exec(errorMessage)?.[1];
    if (reason !== undefined) return refusalAnswer({ code: reason, message: statusMessage });
    const { motoDecline } = this.parts.variants;
    const isRefusal = motoDecline === 'by-merchant' ? merchant.demo : motoDecline === '400';
    return isRefusal ? refusalAnswer({ code: issuerCode, message: errorMessage }) : json(200, body);
  }
}

const REFERENCE_ON_LINKED = {
  path: '',
  code: 'additionalProperties',
  message: "should NOT have additional property 'transactionReference'",
};

/** The client waits in vain, too. */
const NO_ANSWER = flatError(504, 'Connection to the authorisation provider failed');

const TOKEN_FAILURE = refusalAnswer({ code: '5252', message: 'Card token failure' });
