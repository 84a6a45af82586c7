/** How much an answer says was done, and is held by now. Major units. */
export interface SaidAmounts {
  /** Of what was done. */
  amount?: string;
  /** On top of the amount. */
  tip?: string;
  /** On top of both, taken by the service. */
  surcharge?: string;
  currency?: string;
  hold?: string;
}

/** An answer of the back office, whichever endpoint gave it. */
export interface Reply extends SaidAmounts {
  approved: boolean;
  /** The answer's own id of what was done. */
  transactionId?: string;
  /** What the answer names as its original, in each field that it has for that. */
  about?: readonly string[];
  masked?: string;
  scheme?: string;
  expiry?: string;
  /** A secret: for the message alone. */
  token?: string;
  authorisationCode?: string;
  issuerCode?: string;
  batch?: string;
  /** The type of what was done, where the answer says it. */
  type?: string;
  /** The body as it came. */
  raw: Record<string, unknown>;
}
