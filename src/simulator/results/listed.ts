import type { Variants } from '../model/variants.js';

type Body = Record<string, unknown>;

const CHARGES: ReadonlySet<unknown> = new Set(['SALE', 'SALE_AND_TOKENIZE_CARD', 'PRE_AUTHORIZATION', 'MOTO_SALE']);
const RETURNS: ReadonlySet<unknown> = new Set(['REFUND', 'MOTO_REFUND', 'REVERSAL', 'MOTO_REVERSAL', 'VOID_SALE']);

/** The entries of a chain, oldest first, as a deployment may list them. */
export function listed(bodies: readonly Body[], variants: Variants): readonly Body[] {
  const [first, ...more] = bodies;
  if (first === undefined) return [];
  const ofTheirOwn = more.filter((body) => !isInPayment(body, first, variants));
  const entries = [first, ...ofTheirOwn.map((body) => shaped(body, first, variants))];
  return variants.lastEntry === 'twice'
    ? [...entries, ...entries.slice(-1).map((body) => repeated(body, variants))]
    : entries;
}

function isInPayment({ type, originalEFTTransactionID }: Body, first: Body, { returnEntry }: Variants): boolean {
  const isReturn = RETURNS.has(type) && originalEFTTransactionID === first.transactionID;
  return isReturn && returnEntry === 'in-payment';
}

function repeated(body: Body, { repeatedText }: Variants): Body {
  return repeatedText === 'same' ? body : { ...body, statusMessage: `${String(body.statusMessage)} (updated)` };
}

function shaped(body: Body, first: Body, variants: Variants): Body {
  if (RETURNS.has(body.type) && body.originalEFTTransactionID !== '' && variants.returnedAmount === 'signed')
    return { ...body, totalAmount: 0 - Number(body.totalAmount) };
  if (body.type === 'TIP_ADJUSTMENT' && variants.tipOriginal === 'none')
    return { ...body, originalEFTTransactionID: '' };
  if (body.type === 'PRE_AUTHORIZATION_INCREASE' && variants.changeType === 'as-hold')
    return { ...body, type: 'PRE_AUTHORIZATION' };
  return CHARGES.has(body.type) && variants.secondTry === 'linked'
    ? { ...body, originalEFTTransactionID: first.transactionID }
    : body;
}
