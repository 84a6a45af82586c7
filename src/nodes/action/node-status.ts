import type { Node, NodeStatus } from 'node-red';
import type { Progress } from '../../core/delivery/listener.js';
import type { ResultPayload } from '../../core/delivery/payload.js';
import type { Exit } from '../../core/operation/verdict.js';
import type { AnswerPayload } from './answers.js';
import { reasonName } from './reasons.js';

/**
 * The status below a node. A text is a key of the locale, which the editor looks up. A figure may follow the key, or a colon
 * and the name of a reason; `src/nodes/editor/sidebar/status-words.ts` puts both into words.
 */

const FILLS: Readonly<Record<Exit, NonNullable<NodeStatus['fill']>>> = {
  done: 'green',
  'not-done': 'yellow',
  'needs-attention': 'red',
  mistake: 'red',
};

/** A plugin that listens to statuses, and throws, must not keep a result from the flow. */
export function showStatus(node: Node, status: NodeStatus): void {
  try {
    node.status(status);
  } catch (error) {
    node.warn(`its status could not be shown: ${String(error)}`);
  }
}

export function progressStatus({ stage, secondsLeft }: Progress): NodeStatus {
  const text = secondsLeft === undefined ? `status.${stage}` : `status.checking-left ${secondsLeft}`;
  return { fill: stage === 'sending' || stage === 'waiting' ? 'blue' : 'yellow', shape: 'ring', text };
}

export function resultStatus({ outcome, amount, error }: ResultPayload, exit: Exclude<Exit, 'mistake'>): NodeStatus {
  const fill = FILLS[exit];
  if (error !== undefined) return { fill, shape: 'dot', text: withReason(outcome, error) };
  const text =
    amount === undefined || exit === 'not-done'
      ? `status.${outcome}`
      : `status.${outcome} ${amount.total} ${amount.currency}`;
  return { fill, shape: 'dot', text };
}

/** The status of a request that moves no money. */
export function answerStatus(answer: AnswerPayload, exit: Exit): NodeStatus {
  const { outcome } = answer;
  const error = 'error' in answer ? answer.error : undefined;
  return {
    fill: FILLS[exit],
    shape: 'dot',
    text: error === undefined ? `status.${outcome}` : withReason(outcome, error),
  };
}

/** A mistake in the flow or its configuration: what is wrong. */
export function mistakeStatus(message: string): NodeStatus {
  // What came is cut off last.
  const gotFirst = message.replace(/^(.+?): expected (.+), got (.+)$/s, '$1: got $3, expected $2');
  return { fill: 'red', shape: 'ring', text: withReason('mistake', { message: gotFirst }) };
}

function withReason(outcome: string, error: { code?: string; message?: string }): string {
  return `status.${outcome}: ${reasonName(error)}`;
}
