import type { Node } from 'node-red';
import { ownCopy, withoutAbsent } from '../../core/base/objects.js';
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

/**
 * The open HTTP request of a message: nobody else can answer it. Node-RED takes it from a message while it copies that, and a copy
 * that fails leaves the message without.
 */
export function openRequestOf(msg: Message): Message {
  try {
    const { req, res } = msg;
    return withoutAbsent({ req, res }) as Message;
  } catch {
    return {} as Message;
  }
}

/** What the journal keeps of a message, together with its open HTTP request, which is not missing then. */
export function keptPart(copy: Record<string, unknown>, open: Message): Message {
  const { _dropped: dropped, ...kept } = { ...copy, ...open };
  const missing = Array.isArray(dropped) ? dropped.filter((name) => !(String(name) in open)) : [];
  return missing.length === 0 ? kept : { ...kept, _dropped: missing };
}

/**
 * The message itself with its answer; where it cannot be copied, the part of it in the journal, and its HTTP request. A flow
 * edits what it gets, and the engine tells the same answer again.
 * @param kept the part of it in the journal
 * @param copy throws where Node-RED has to copy the message, and cannot. Node-RED copies it for every wire but the first: a copy
 *   that fails then would leave the first wire with the message and the others without.
 */
export function carrierOf(
  live: Message | undefined,
  kept: Record<string, unknown>,
  answer: unknown,
  copy: (carrier: Message) => void,
): Message {
  const payload = ownCopy(answer);
  if (live === undefined) return { ...ownCopy(kept), payload };
  const open = openRequestOf(live);
  try {
    const carrier = withPayload(live, payload);
    copy(carrier);
    return carrier;
  } catch {
    return { ...keptPart(ownCopy(kept), open), payload };
  }
}

/** The message with another payload: itself, or a copy where it takes none, as a frozen one does. */
function withPayload(msg: Message, payload: unknown): Message {
  try {
    msg.payload = payload;
    if (msg.payload === payload) return msg;
  } catch {
    // It only reads.
  }
  return { ...msg, payload };
}
