/**
 * What a cache, a proxy or a gateway mixes up: well-formed answers and results that are about something else, or about another amount.
 * No description forbids them, and a client that takes the first 200 for its own is wrong about the money.
 */
export const MIX_UP_MOMENTS = {
  /**
   * The answer that the request before it got at the same endpoint, other than a tip adjustment, whose answers name nothing.
   * `isDone: false`: nothing was done.
   */
  'answer-of-another': 'back-office',
  /** The request arrives twice, and this is the answer to the copy: 429 where doing it twice would add up. Batches are spared. */
  'answer-of-copy': 'back-office',
  /** 200 that names an original that nobody knows. */
  'answer-other-original': 'back-office',
  /** 200 whose transaction has the id of its original. */
  'answer-id-of-original': 'back-office',
  /** 200 for the close of a batch that calls it open. */
  'answer-batch-open': 'back-office',
  /** A capture takes half of what was asked for, and says so. */
  'capture-took-less': 'capture',
  /** A hold is changed by half of what was asked for, and the answer says so. */
  'increase-took-less': 'increase',

  /** The token of a stored card is missing. */
  'body-without-token': 'body',
  /** The first half of the body arrives. */
  'callback-cut-off': 'callback',
  /** The response before it on the same connection, where that names another payment; to an order, a poll or a question about the status. */
  'answer-delivered-twice': 'answer',
  /** A result under a reference that nobody has sent. */
  'result-other-reference': 'wording',
} as const;

export const MIX_UP_KINDS = Object.keys(MIX_UP_MOMENTS) as (keyof typeof MIX_UP_MOMENTS)[];
