import { type BadInput, badStarts, badTerminals, badWaits, fromMessage, type Row } from './row.js';

/** The nodes about batches and devices: no amount, but much that a terminal would have to make sense of. */

const batch = (operation: string, more: object = {}) => ({ payload: { batch: '123' }, operation, ...more });

export const BATCH: BadInput = {
  type: 'payment-batch',
  config: fromMessage('operation', 'rrn', 'customerReference', 'startWithin'),
  rows: [
    [batch('open'), 'msg.operation', /one of close, summary, detail/, '"open"'],
    [batch('close', { payload: { batch: { number: 1 } } }), 'msg.payload.batch', /text/, '{"number":1}'],
    [batch('close', { payload: { batch: 1.5 } }), 'msg.payload.batch', /text/, '1.5'],
    [batch('summary', { payload: {} }), 'msg.payload.batch', /the number of a batch/, 'nothing'],
    [batch('detail', { payload: 'today' }), 'msg.payload.batch', /the number of a batch/, 'nothing'],
    [batch('detail', { rrn: ['1'] }), 'msg.rrn', /text/, '["1"]'],
    [batch('detail', { customerReference: ['till'] }), 'msg.customerReference', /a text or an object/, '["till"]'],
    [batch('close', { terminal: 7 }), 'msg.terminal', /serial_number and terminal_type/, '7'],
    [batch('close', { terminal: { serial_number: '', terminal_type: 'A' } }), 'serialNumber', /not empty/, '""'],
    [batch('summary', { terminal: { serial_number: '1', terminal_type: '' } }), 'deviceType', /not empty/, '""'],
    ...badStarts(batch('close')),
  ],
};

const set = (operation: string, settings?: unknown) => ({ operation, settings });
const LOCALE = /a language and a country such as en_US/;

const SETTINGS: Row[] = [
  [set('set-unattended-mode'), 'status', /true or false/, 'nothing'],
  [set('set-unattended-mode', { status: 'yes' }), 'status', /true or false/, '"yes"'],
  [set('set-unattended-mode', { status: true, till: 1 }), 'till', /no field of this name/, '"number"'],
  [set('set-locale', {}), 'locale', /a text/, 'nothing'],
  [set('set-locale', { locale: 'german' }), 'msg.settings.locale', LOCALE, '"german"'],
  [set('set-locale', { locale: 'EN_us' }), 'locale', LOCALE, '"EN_us"'],
  [set('reboot', { force: 1 }), 'force', /true or false/, '1'],
  [set('reboot', {}), 'force', /true or false/, 'nothing'],
  [set('set-password-protected', { status: null }), 'status', /true or false/, 'null'],
  [set('set-screen-brightness', { minimumBrightnessLevel: 1 }), 'maximumBrightnessLevel', /a number/, 'nothing'],
  [
    set('set-screen-brightness', { minimumBrightnessLevel: -1, maximumBrightnessLevel: 9 }),
    'minimumBrightnessLevel',
    /at least 0/,
    '-1',
  ],
  [
    set('set-screen-brightness', { minimumBrightnessLevel: 1, maximumBrightnessLevel: 101 }),
    'maximumBrightnessLevel',
    /at most 100/,
    '101',
  ],
  [
    set('set-screen-brightness', { minimumBrightnessLevel: 0.5, maximumBrightnessLevel: 9 }),
    'minimumBrightnessLevel',
    /a whole number/,
    '0.5',
  ],
  [
    set('set-screen-brightness', { minimumBrightnessLevel: 90, maximumBrightnessLevel: 10 }),
    'msg.settings.maximumBrightnessLevel',
    /not below the minimum/,
    '10',
  ],
  [set('set-reboot-time', { hour: 24 }), 'msg.settings.hour', /at most 23/, '24'],
  [set('set-reboot-time', { hour: -1 }), 'hour', /at least 0/, '-1'],
  [set('set-reboot-time', { hour: '5' }), 'hour', /a number/, '"5"'],
  [set('set-security-policy', { hideTabBar: 'yes' }), 'hideTabBar', /true or false/, '"yes"'],
  [set('set-security-policy', { hideAll: true }), 'hideAll', /no field of this name/, '"boolean"'],
  [set('set-security-policy', 'strict'), 'msg.settings', /an object/, '"strict"'],
  [set('set-reboot-time', [5]), 'msg.settings', /an object/, '[5]'],
];

export const DEVICE: BadInput = {
  type: 'payment-device',
  config: fromMessage('operation', 'settings', 'returnDeviceInfo', 'busyWait'),
  rows: [
    ...SETTINGS,
    [{ operation: 'explode' }, 'msg.operation', /one of list, pingDevice/, '"explode"'],
    [{ operation: 'printReceipt', payload: {} }, 'receipt', /printable HTML/, 'nothing'],
    [{ operation: 'pingDevice', returnDeviceInfo: 'all' }, 'msg.returnDeviceInfo', /true or false/, '"all"'],
    ...badTerminals({ operation: 'cardPan' }),
    ...badTerminals({ operation: 'pingDevice' }),
    ...badTerminals(set('set-reboot-time', { hour: 5 })),
    ...badWaits({ operation: 'cardPan' }),
  ],
};
