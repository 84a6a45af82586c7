import type { Summary } from '../../src/nodes/admin/contract.js';

/** A sale of 10.00 EUR, as the sidebar gets it. */
export function sampleSummary(id: string, changes: Partial<Summary> = {}): Summary {
  return {
    id,
    environment: 'environment',
    node: 'sale',
    at: 1_000,
    operation: 'sale',
    terminal: '10000001',
    amount: '10.00',
    currency: 'EUR',
    transactionId: `transaction of ${id}`,
    original: '',
    card: '',
    approvalCode: '',
    orderReference: '',
    reference: '',
    tip: '',
    standing: 'over',
    ...changes,
  };
}
