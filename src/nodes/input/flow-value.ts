import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { InputError } from '../../core/base/errors.js';
import { isObject } from '../../core/base/objects.js';
import { systemClock } from '../../core/platform/system-clock.js';
import { messageOf } from './template.js';

/**
 * How long a context store or an expression gets to answer, and a promise to be kept, ms. The message goes to Catch then, and
 * nothing is sent.
 */
const PATIENCE = 10_000;
const NO_ANSWER = `no answer within ${PATIENCE / 1000} s`;

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
 * Evaluates it for one message; undefined where a path leads through what is missing. A promise only where the answer does not
 * come at once, or is one itself: nearly all do, and a message has many fields.
 * @throws InputError naming its source
 */
export function flowValue(RED: NodeAPI, node: Node, wanted: FlowValue, msg: object): unknown {
  const { text, type } = wanted;
  let answer: (() => unknown) | undefined;
  let onAnswer: ((first: () => unknown) => void) | undefined;
  const settle = (first: () => unknown): void => {
    if (answer !== undefined) return;
    answer = first;
    onAnswer?.(first);
  };
  const fail = (error: unknown): void =>
    settle(() => (type === 'msg' && isMissing(RED, text, msg) ? undefined : refuse(wanted, messageOf(error))));
  try {
    RED.util.evaluateNodeProperty(text, type, node, msg as NodeMessage, (error, value: unknown) => {
      if (error) fail(error);
      else settle(() => value);
    });
  } catch (error) {
    fail(error);
  }
  if (answer !== undefined) return kept(wanted, (answer as () => unknown)());
  const timer = systemClock.after(PATIENCE, () => settle(() => refuse(wanted, NO_ANSWER)));
  return new Promise<() => unknown>((resolve) => {
    onAnswer = resolve;
  }).then((first) => {
    timer.cancel();
    return kept(wanted, first());
  });
}

/** A value, or what it promises: a message may hold a promise that nobody ever keeps. @throws InputError */
function kept(wanted: FlowValue, value: unknown): unknown {
  try {
    if (!isThenable(value)) return value;
  } catch (error) {
    return refuse(wanted, messageOf(error));
  }
  return new Promise((resolve, reject) => {
    const timer = systemClock.after(PATIENCE, () => reject(problemOf(wanted, NO_ANSWER)));
    Promise.resolve(value)
      .then(resolve, (error) => reject(problemOf(wanted, messageOf(error))))
      .finally(() => timer.cancel());
  });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value.then === 'function';
}

function refuse(wanted: FlowValue, problem: string): never {
  throw problemOf(wanted, problem);
}

function problemOf({ text, source }: FlowValue, problem: string): InputError {
  return new InputError(source, `a value that can be read (${problem})`, text);
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
