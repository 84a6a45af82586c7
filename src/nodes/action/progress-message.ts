import type { NodeAPI } from 'node-red';
import { ownCopy } from '../../core/base/objects.js';
import type { StageChange } from '../../core/delivery/listener.js';
import type { Message } from '../input/context.js';

/**
 * A message of the progress output: a copy of the message, without the open HTTP request that only its result may answer.
 * @param live the message itself, where this process has it
 */
export function progressMessage(RED: NodeAPI, live: Message | undefined, change: StageChange): Message {
  // Messages that repeat the order are told the same stage.
  const payload = ownCopy(change.payload);
  const stored = (): Message => ({ ...ownCopy(change.origin.message), payload });
  if (live === undefined) return stored();
  try {
    const { req: _req, res: _res, payload: _payload, ...rest } = live;
    return { ...RED.util.cloneMessage(rest as Message), payload };
  } catch {
    return stored();
  }
}
