import { READING_VALUES } from '../../src/simulator/index.js';
import { Draw } from './draw.js';
import type { Message, Scenario } from './scenario.js';

/** Of the hostile seeds. */
const SHARE = 0.03;
/** A stream in which none of the seeds that are kept is drawn. */
const STREAM = 925;

const STORING: ReadonlySet<Message['operation']> = new Set(['sale', 'preAuthorization', 'refund']);

/** Payments ask for the card to be stored as well, and the service names such a sale in any of its ways. */
export function storingCards(scenario: Scenario): Scenario {
  const { hostility, seed } = scenario;
  const draw = new Draw(seed, STREAM);
  if (hostility === undefined || !draw.chance(SHARE)) return scenario;
  const variants = { ...scenario.variants, tokenizedSale: draw.pick(READING_VALUES.tokenizedSale) };
  const messages = scenario.messages.map((message) =>
    STORING.has(message.operation) && draw.chance(0.7)
      ? { ...message, extras: { ...message.extras, tokenize: true } }
      : message,
  );
  return { ...scenario, messages, variants, hostility: { ...hostility, variants } };
}
