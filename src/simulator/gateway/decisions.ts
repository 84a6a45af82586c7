import type { Decision } from '../model/transaction.js';

/** What issuers and the gateway say. */

export const APPROVED: Decision = {
  finStatus: 'AUTHORISED',
  statusMessage: 'Transaction approved',
  errorMessage: '',
  issuerCode: '00',
  approvalCode: '',
  arc: '0000',
};

export function issuerDecline(code: string): Decision {
  return {
    finStatus: 'DECLINED',
    statusMessage: 'Transaction declined',
    errorMessage: `Declined by the issuer (${code})`,
    issuerCode: code,
    approvalCode: '',
    arc: '0010',
  };
}

/** Declined before any issuer was asked; `00` is only a placeholder then. `reason` is the gateway's own code. */
export function gatewayDecline(message: string, reason?: string): Decision {
  return {
    finStatus: 'DECLINED',
    statusMessage: message,
    errorMessage: reason === undefined ? message : `${message} (${reason})`,
    issuerCode: '00',
    approvalCode: '',
    arc: '1000',
  };
}

export function failure(message: string): Decision {
  return { ...gatewayDecline(message), finStatus: 'FAILED' };
}
