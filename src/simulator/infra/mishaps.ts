/** What goes wrong on the way between client, service, terminal and bank: each kind, and the moment at which it can strike. */
export const MISHAP_MOMENTS = {
  /** The request does not arrive, and the client times out. */
  'request-lost': 'request',
  /**
   * Not a byte arrives, and the client can be sure of it. Over a real port this is a reset, because a server does
   * listen there.
   */
  'connection-refused': 'request',
  /** The request arrives `ms` later (at most 20 s). */
  'request-delayed': 'request',
  /** The request arrives twice, unless the first copy is refused. The client gets the response to the first. */
  'request-duplicated': 'request',
  /** The service responds with a 5xx (`status`, 500 by default) and does not act. */
  'server-error-before': 'request',
  'rate-limited': 'request',

  'answer-lost': 'answer',
  'answer-delayed': 'answer',
  /** The service responds with a 5xx although it acted: the terminal has started. */
  'server-error-after': 'answer',
  'broken-json': 'answer',
  /** The terminal error in the response has another shape (`variant`). */
  'error-shape': 'answer',
  /** The callback arrives before the 202. */
  'callback-before-answer': 'answer',

  /** Another point of sale is using the terminal: error 1001. */
  'terminal-busy': 'start',
  /** The terminal is offline: error 1002. */
  'terminal-offline': 'start',

  /** The terminal is off for `ms`; 0: until it is switched on. It has stored nothing, so the payment is forgotten. */
  'power-cut-awaiting-card': 'awaiting-card',
  /**
   * The terminal is off for `ms`; 0: until it is switched on. Then it asks the gateway for the outcome and delivers
   * that.
   */
  'power-cut-processing': 'processing',
  /** The request does not reach the gateway: the result is `UNDEFINED`, and no money moved. */
  'gateway-request-lost': 'processing',
  /** The gateway acts, but its response is lost: the result is `UNDEFINED`, and money moved. */
  'gateway-answer-lost': 'processing',
  /** The gateway acts and its response is lost; the terminal reverses the payment when it is connected again. */
  'gateway-answer-lost-then-reversed': 'processing',
  /** The card is pulled out of the chip slot after the approval: the terminal reverses. */
  'chip-pulled': 'approved',
  /** The terminal cannot reverse a refused partial approval: the charge stays. */
  'reversal-fails': 'terminal-reversal',
  /** `ms` after the result the terminal's application restarts, and its callback schedule begins again. */
  'terminal-restart': 'result',

  /** The status service shows the change `ms` later than usual (at most 10 s behind the gateway). */
  'status-lag': 'publish',
  /** Ways to say "no record yet". A record that exists is never hidden: no client could recover then. */
  'status-404': 'status-without-record',
  'status-undefined': 'status-without-record',
  'status-empty': 'status-without-record',
  /** There is a record, but it does not show the outcome. */
  'status-in-progress': 'status-with-record',

  'poll-404': 'poll',
  /** A 200 whose body is not a result. */
  'poll-unreadable': 'poll',
  /** A 5xx (`status`). */
  'poll-fails': 'poll',

  /** This delivery attempt does not arrive. */
  'callback-lost': 'callback',
  /** The callback arrives; its acknowledgement is lost. */
  'callback-answer-lost': 'callback',
  /** The callback is sent `ms` later. */
  'callback-late': 'callback',
  'callback-twice': 'callback',
  /** The TLS handshake of this delivery attempt fails. */
  'callback-tls-refused': 'callback',
  /** Held back until a later body was delivered, or for `ms`. */
  'callback-reordered': 'callback',
} as const;

export const MISHAP_KINDS = Object.keys(MISHAP_MOMENTS) as (keyof typeof MISHAP_MOMENTS)[];
