import type { Message } from '../input/context.js';

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
