import type { Ending } from '../../terminal/terminal.js';
import { money } from '../support/amounts.js';
import { h, ICONS } from '../support/dom.js';
import { type Key, named, t } from '../support/texts.js';
import type { Keys, Stage, StageContext } from './stage.js';
import { heading, offer, picture, sum } from './stage-parts.js';
import { pinStage } from './stage-pin.js';
import { signatureStage } from './stage-signature.js';
import { tipStage } from './stage-tip.js';

/** The screen for a stage of the terminal. `ending`: the outcome of the last operation while it is recent. */
export function stageOf(context: StageContext, ending: Ending | undefined): Stage {
  const { terminal, act } = context;
  const { screen } = terminal;
  const cancel: Keys = { cancel: () => act({ do: 'cancel' }) };
  switch (screen.stage) {
    case 'off':
      return { body: [], keys: {} };
    case 'idle':
      return { body: ending === undefined ? welcome(terminal.connected) : endingOf(ending), keys: {} };
    case 'awaiting-card':
      return {
        body: [
          sum(screen),
          picture(ICONS.contactless, 'wave'),
          heading(screen.again === true ? t('screen.cardAgain') : t('screen.card')),
        ],
        keys: cancel,
      };
    case 'insert-card':
      return { body: [sum(screen), picture(ICONS.chip, 'nod'), heading(t('screen.insert'))], keys: cancel };
    case 'keyed-entry':
      return keyedStage(context);
    case 'abandoned':
      return { body: [picture(ICONS.question, 'calm'), heading(t('screen.abandoned'))], keys: {} };
    case 'pin':
      return pinStage(context);
    case 'tip':
      return tipStage(context);
    case 'signature':
      return signatureStage(context);
    case 'duplicate':
      return question(context, [heading(t('screen.duplicate'))], t('duplicate.yes'), t('duplicate.no'));
    case 'partial':
      return partialStage(context);
    case 'remove-card':
      return { body: [picture(ICONS.chip, 'pull'), heading(t('screen.remove'))], keys: {} };
    case 'printing':
      return { body: [picture(ICONS.receipt, 'calm'), heading(t('screen.printing'))], keys: {} };
    case 'processing':
      return {
        body: [
          sum(screen),
          h('div', { class: 'spinner' }),
          heading(t(screen.reversing ? 'screen.reversing' : 'screen.processing')),
        ],
        keys: {},
      };
  }
}

function welcome(isConnected: boolean): Node[] {
  return [
    h('div', { class: 'welcome-mark' }),
    heading(isConnected ? t('screen.welcome') : t('screen.offline')),
    h('p', { class: 'screen-hint', text: isConnected ? t('screen.ready') : t('screen.noNetwork') }),
  ];
}

function reasonOf(statusMessage: string): Node[] {
  const key = REASONS.get(statusMessage);
  return key === undefined ? [] : [h('p', { class: 'screen-hint', text: t(key) })];
}

/** The look of an outcome by its status; `bad` if it is not listed. */
const LOOKS: Readonly<Record<string, 'good' | 'bad' | 'open'>> = {
  AUTHORISED: 'good',
  CAPTURED: 'good',
  PROCESSED: 'good',
  REFUNDED: 'good',
  PARTIAL_APPROVAL: 'open',
  UNDEFINED: 'open',
  IN_PROGRESS: 'open',
};

/** Why something ended without an approval, by what the terminal says. */
const REASONS: ReadonlyMap<string, Key> = new Map([
  ['Timed out', 'reason.timeout'],
  ['Timed out waiting for the cardholder', 'reason.timeout'],
  ['Duplicate transaction declined', 'reason.duplicate'],
]);

function endingOf({ finStatus, statusMessage, total, currency, operation }: Ending): Node[] {
  const look = LOOKS[finStatus] ?? 'bad';
  const mark = { good: ICONS.check, bad: ICONS.cross, open: ICONS.question }[look];
  return [
    picture(mark, look),
    heading(named('ending', finStatus)),
    h('p', { class: 'screen-hint', text: named('operation', operation) }),
    ...reasonOf(statusMessage),
    ...(currency === '' || look === 'bad' ? [] : [h('strong', { class: 'sum-amount', text: money(total, currency) })]),
  ];
}

function question({ terminal, act }: StageContext, body: Node[], yes: string, no: string): Stage {
  const accept = (): void => act({ do: 'answer', accept: true });
  const refuse = (): void => act({ do: 'answer', accept: false });
  return {
    body: [sum(terminal.screen), ...body, h('div', { class: 'offers' }, offer(no, refuse), offer(yes, accept, 'main'))],
    keys: { enter: accept, cancel: refuse },
  };
}

function partialStage(context: StageContext): Stage {
  const { amount = 0, approved = 0, currency = '' } = context.terminal.screen;
  const part = money(approved, currency);
  const rest = t('partial.rest', { amount: money(amount - approved, currency) });
  return question(
    context,
    [heading(t('screen.partial', { amount: part })), h('p', { class: 'screen-hint', text: rest })],
    t('partial.yes', { amount: part }),
    t('partial.no'),
  );
}

/** Keyed entry. The details are filled in from the selected card. */
function keyedStage({ terminal: { screen }, card, act }: StageContext): Stage {
  const { scheme, last4, expiry } = card();
  const send = (): void => {
    const { unreadable: _, ...details } = card().card;
    act({ do: 'key-card', card: details });
  };
  const line = (label: string, value: string): HTMLElement =>
    h('div', { class: 'keyed-line' }, h('dt', { text: label }), h('dd', { text: value }));
  return {
    body: [
      sum(screen),
      heading(t('screen.keyed')),
      h(
        'dl',
        { class: 'keyed' },
        line(t('keyed.number'), `${scheme} •••• ${last4}`),
        line(t('keyed.expiry'), expiry),
        line(t('keyed.code'), '•••'),
      ),
      offer(t('keyed.send'), send, 'main'),
    ],
    keys: { enter: send, cancel: () => act({ do: 'cancel' }) },
  };
}
