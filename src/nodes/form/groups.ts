import { amount, choice, currency, flag, json, number, template, text } from './fields.js';
import { type Cases, type Field, type FieldGroup, type Need, only } from './form.js';

/** Groups of fields that several forms share. */

export const METADATA: FieldGroup = {
  name: 'metadata',
  open: false,
  fields: [1, 2, 3, 4, 5].map((place) => template(`metadata${place}`, `{{payload.metadata${place}}}`)),
};

export const WAITING: FieldGroup = {
  name: 'waiting',
  open: false,
  fields: [
    number('busyWait', 0, { min: 0, max: 3600 }),
    number('deadline', '', { min: 10, max: 360 }),
    choice('lateApproval', ['report', 'reverse']),
    choice('partialApproval', ['accept', 'reverse']),
  ],
};

export const CARD: FieldGroup = {
  name: 'card',
  open: false,
  fields: [
    flag('duplicateCheck', true),
    flag('bypassSignature', false),
    flag('bypassPin', false),
    flag('tokenize', false),
  ],
};

export const TIP: FieldGroup = {
  name: 'tip',
  open: false,
  fields: [
    { ...text('tipPercentages'), looks: 'percentages' },
    template('tipHeader'),
    template('tipFooter'),
    amount('tipBase'),
    flag('tipEnterAmount', true),
    flag('tipSkip', true),
  ],
};

export const ADDRESS: FieldGroup = {
  name: 'address',
  open: false,
  fields: [template('billingZip'), template('billingAddress')],
};

export const ADDRESS_NEEDS: readonly Need[] = [
  { capability: 'addressCheck', when: { billingZip: true } },
  { capability: 'addressCheck', when: { billingAddress: true } },
];

export const MERCHANT: FieldGroup = { name: 'merchant', open: false, fields: [json('merchantAuth')] };

export const REMITTANCE: FieldGroup = {
  name: 'remittance',
  open: false,
  fields: [template('remittanceName'), text('remittanceCountry')],
};

export const REMITTANCE_NEEDS: readonly Need[] = [
  { capability: 'moneyRemittance', when: { remittanceName: true } },
  { capability: 'moneyRemittance', when: { remittanceCountry: true } },
];

/** How late what needs no terminal may begin; empty: however late. */
const START_WITHIN = number('startWithin', 900, { min: 1, max: 604_800 });

/** For nodes that need no terminal. */
export const START: FieldGroup = { name: 'waiting', open: false, fields: [START_WITHIN] };

/** Of every node that moves money: which order a message is, and whether the flow hears how it goes on. */
export const ORDER: FieldGroup = {
  name: 'order',
  open: false,
  fields: [
    text('idempotencyKey', 'payload.idempotencyKey'),
    flag('repeatUnsuccessful', false),
    { kind: 'checkbox', name: 'progress', default: false },
  ],
};

/** For operations on a terminal. */
export const TERMINAL: Field = { kind: 'config', name: 'terminal', type: 'payment-terminal', required: true };

/** For operations that need no terminal. */
export const ENVIRONMENT: Field = { kind: 'config', name: 'environment', type: 'payment-environment', required: true };

/** An amount with its unit and currency. */
export function money(required: boolean): Field[] {
  return [
    { ...amount('amount', 'payload.amount', required), ...(required ? { looks: 'payment' } : {}) },
    choice('unit', ['major', 'minor']),
    currency('payload.currency'),
  ];
}

/** The transaction that an operation refers to, by default from the result of an earlier payment. */
export function original(required: boolean): Field[] {
  return [
    text('original', 'payload.transactionId', required && 'in-dialog'),
    text('originalReference', 'payload.reference'),
  ];
}

export const BUSY: FieldGroup = {
  name: 'waiting',
  open: false,
  fields: [number('busyWait', 0, { min: 0, max: 3600 })],
};

/** How long to wait for a busy terminal, where the operation needs one, and when it has to start, where it needs none. */
export function busyOrStart(onTerminal: Cases, otherwise: Cases): FieldGroup {
  return inCases(BUSY, onTerminal, otherwise);
}

/**
 * As {@link busyOrStart}, with the deadline and the policies of a payment on the terminal.
 * @param charging where the operation can be approved late or in part
 */
export function waitingOrStart(onTerminal: Cases, otherwise: Cases, charging = onTerminal): FieldGroup {
  return inCases(WAITING, onTerminal, otherwise, charging);
}

function inCases(group: FieldGroup, onTerminal: Cases, otherwise: Cases, charging = onTerminal): FieldGroup {
  const waiting = group.fields.map((field) => only(field.name === 'busyWait' ? onTerminal : charging, field));
  return { ...group, fields: [...waiting, only(otherwise, START_WITHIN)] };
}
