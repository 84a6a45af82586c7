import type { Node } from 'node-red';
import type { Message } from '../input/context.js';

export type Done = (error?: Error) => void;

/** What Node-RED itself does when a node is done with a message. Not in its documentation, so it may be missing. */
interface Completing {
  _complete?(msg: Message, error?: Error): void;
}

const received = new WeakSet<Message>();

/**
 * The answer goes into the message itself. A node before this one may have sent one object more than once: without an object of
 * its own the second answer would change the message that has left with the first.
 */
export function ownMessage(msg: Message): Message {
  const isRepeated = received.has(msg);
  received.add(msg);
  try {
    return isRepeated ? { ...msg } : msg;
  } catch {
    // It cannot be read; nobody has a better one.
    return msg;
  }
}

/**
 * Catch and Complete get the message that came in. Where that is an object that left with an earlier answer, they would get that
 * answer with it: they get our own message in its place.
 */
export function ownDone(node: Node, own: Message, received: Message, done: Done): Done {
  const { _complete: complete } = node as Node & Completing;
  if (own === received || typeof complete !== 'function') return done;
  return (error) => complete.call(node, own, error);
}
