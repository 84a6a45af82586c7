import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { InputError } from '../../core/base/errors.js';
import type { Timer } from '../../core/base/seams.js';
import { systemClock } from '../../core/platform/system-clock.js';
import { messageOf } from './template.js';

/** How long a context store or an expression gets to answer, ms. The message goes to Catch then, and nothing is sent. */
const PATIENCE = 10_000;

/** What a message, a context, a variable or an expression holds. */
export interface FlowValue {
  /** As the editor has it: the name of a property or variable, or an expression. */
  text: string;
  /** `msg`, `flow`, `global`, `env` or `jsonata`. */
  type: string;
  /** For errors: `msg.payload.amount`, `flow.x`. */
  source: string;
}

/**
 * Evaluates it for one message; undefined where a path leads through what is missing.
 * @throws InputError naming its source
 */
export function flowValue(RED: NodeAPI, node: Node, { text, type, source }: FlowValue, msg: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let timer: Timer | undefined;
    let isSettled = false;
    const settle = (then: () => void): void => {
      isSettled = true;
      timer?.cancel();
      then();
    };
    const refuse = (problem: string): void =>
      reject(new InputError(source, `a value that can be read (${problem})`, text));
    const fail = (error: unknown): void => {
      if (type === 'msg' && isMissing(RED, text, msg)) settle(() => resolve(undefined));
      else settle(() => refuse(messageOf(error)));
    };
    try {
      RED.util.evaluateNodeProperty(text, type, node, msg as NodeMessage, (error, value: unknown) => {
        if (error) fail(error);
        else settle(() => resolve(value));
      });
    } catch (error) {
      fail(error);
    }
    // Most answer at once, and need no timer.
    if (!isSettled) timer = systemClock.after(PATIENCE, () => refuse(`no answer within ${PATIENCE / 1000} s`));
  });
}

/** Whether the path to a property of a message leads through what is missing. A getter that throws is not missing. */
function isMissing(RED: NodeAPI, text: string, msg: object): boolean {
  try {
    const path = RED.util.normalisePropertyExpression(text.replace(/^msg\./, ''), msg as NodeMessage);
    let value: unknown = msg;
    for (const name of path) {
      if (value === undefined || value === null) return true;
      value = (value as Record<string, unknown>)[name];
    }
    return false;
  } catch {
    return false;
  }
}
