import type { NodeStatus } from 'node-red';
import type { Progress } from '../../core/delivery/listener.js';
import type { ResultPayload } from '../../core/delivery/payload.js';
import type { Exit } from '../../core/operation/verdict.js';
import type { AnswerPayload } from './answers.js';

/**
 * The status below a node. A text is a key of the locale, which the editor looks up. A figure may follow the key;
 * `src/nodes/editor/sidebar/status-words.ts` inserts it into the text.
 */

const FILLS: Readonly<Record<Exit, NonNullable<NodeStatus['fill']>>> = {
  done: 'green',
  'not-done': 'grey',
  'needs-attention': 'red',
  mistake: 'red',
};

export function progressStatus({ stage, secondsLeft }: Progress): NodeStatus {
  const text = secondsLeft === undefined ? `status.${stage}` : `status.checking-left ${secondsLeft}`;
  return { fill: stage === 'sending' || stage === 'waiting' ? 'blue' : 'yellow', shape: 'ring', text };
}

export function resultStatus({ outcome, amount }: ResultPayload, exit: Exit): NodeStatus {
  if (exit === 'mistake') return { fill: 'red', shape: 'ring', text: 'status.mistake' };
  const text =
    amount === undefined || exit === 'not-done'
      ? `status.${outcome}`
      : `status.${outcome} ${amount.total} ${amount.currency}`;
  return { fill: FILLS[exit], shape: 'dot', text };
}

/** The status of a request that moves no money. */
export function answerStatus({ outcome }: AnswerPayload, exit: Exit): NodeStatus {
  return { fill: FILLS[exit], shape: 'dot', text: `status.${outcome}` };
}
