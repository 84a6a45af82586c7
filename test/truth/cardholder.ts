import type { Action, Cardholder } from '../../src/simulator/index.js';
import type { Draw } from './draw.js';

/** Takes nearly as long as each screen allows, and needs several tries: pays minutes after the request. */
export function fumbler(draw: Draw): Cardholder {
  const entry = draw.pick(['CONTACTLESS_ICC', 'ICC', 'ICC'] as const);
  const skill = draw.pick([0.3, 0.5]);
  return ({ stage }) => {
    const afterMs = draw.int(15_000, 29_900);
    const succeeds = draw.chance(skill);
    switch (stage) {
      case 'awaiting-card':
        return { afterMs, act: { do: 'present-card', card: { entry, unreadable: !succeeds } } };
      case 'insert-card':
        return { afterMs, act: { do: 'present-card', card: { entry: 'ICC', unreadable: !succeeds } } };
      case 'keyed-entry':
        return { afterMs, act: { do: 'key-card', card: {} } };
      case 'pin':
        return { afterMs, act: { do: 'enter-pin', correct: succeeds } };
      case 'duplicate':
      case 'partial':
        return { afterMs, act: { do: 'answer', accept: true } };
      case 'tip':
        return { afterMs, act: { do: 'choose-tip', percentage: 10 } };
      case 'signature':
        return { afterMs, act: { do: 'sign' } };
      case 'remove-card':
        return { afterMs: 1000, act: { do: 'remove-card' } };
      default:
        return undefined;
    }
  };
}

/** Mostly taps at once; some take their time, or change their minds. */
export function regular(draw: Draw, scheme: 'VISA' | 'INTERAC' = 'VISA'): Cardholder {
  const patience = draw.pick([100, 100, 40_000]);
  return ({ stage }) => {
    const afterMs = draw.chance(0.8) ? draw.int(10, 100) : draw.int(10, patience);
    switch (stage) {
      case 'awaiting-card':
        return draw.chance(0.9)
          ? { afterMs, act: { do: 'present-card', card: { entry: 'CONTACTLESS_ICC', scheme } } }
          : { afterMs, act: { do: 'cancel' } };
      case 'duplicate':
        return { afterMs, act: { do: 'answer', accept: true } };
      default:
        return undefined;
    }
  };
}

/** Taps at once, or after half a minute, as long as there is time. */
export function uneven(draw: Draw): Cardholder {
  return ({ stage }) => {
    if (stage === 'duplicate') return { afterMs: 100, act: { do: 'answer', accept: true } };
    if (stage !== 'awaiting-card') return undefined;
    const afterMs = draw.chance(0.5) ? draw.int(10, 100) : draw.int(20_000, 29_900);
    return { afterMs, act: { do: 'present-card', card: { entry: 'CONTACTLESS_ICC' } } };
  };
}

/** Somebody in front of the terminal who may do anything: taps, is late, types a wrong PIN, pulls the chip, walks away. */
export function shopper(draw: Draw): Cardholder {
  const haste = draw.pick([3000, 3000, 20_000, 60_000]);
  const willing = draw.pick([1, 0.97, 0.9, 0.6]);
  const last4s = draw.pick([['1111'], ['1111', '2222', '3333', '0002']] as const);
  const last4 = (): string => last4s[draw.int(0, last4s.length - 1)] ?? '1111';
  const agrees = (): boolean => draw.chance(willing);
  const reactions: Partial<Record<string, () => Action | undefined>> = {
    'awaiting-card': () =>
      agrees()
        ? { do: 'present-card', card: { last4: last4(), entry: draw.pick(['CONTACTLESS_ICC', 'ICC', 'MAG_STRIPE']) } }
        : draw.pick<Action>([{ do: 'cancel' }, { do: 'present-card', card: { unreadable: true } }]),
    'insert-card': () => (agrees() ? { do: 'present-card', card: { entry: 'ICC' } } : { do: 'cancel' }),
    'keyed-entry': () => (agrees() ? { do: 'key-card', card: { last4: last4() } } : { do: 'cancel' }),
    pin: () => ({ do: 'enter-pin', correct: agrees() }),
    tip: () => (agrees() ? { do: 'choose-tip', percentage: 20 } : { do: 'choose-tip' }),
    duplicate: () => ({ do: 'answer', accept: agrees() }),
    partial: () => ({ do: 'answer', accept: agrees() && draw.chance(0.6) }),
    signature: () => (agrees() ? { do: 'sign' } : { do: 'answer', accept: false }),
    processing: () => (agrees() ? undefined : { do: 'remove-card' }),
    'remove-card': () => ({ do: 'remove-card' }),
  };
  return ({ stage }) => {
    const walksAway = !draw.chance(0.5 + willing / 2);
    const act = walksAway ? undefined : reactions[stage]?.();
    return act && { afterMs: draw.scale(1, haste), act };
  };
}
