/** An answer of the back office, whichever endpoint gave it. */
export interface Reply {
  approved: boolean;
  /** The answer's own id of what was done. */
  transactionId?: string;
  masked?: string;
  scheme?: string;
  expiry?: string;
  /** A secret: for the message alone. */
  token?: string;
  authorisationCode?: string;
  issuerCode?: string;
  batch?: string;
  /** Of what was done. Major units. */
  amount?: string;
  /** On top of the amount. Major units. */
  tip?: string;
  /** On top of both, taken by the service. Major units. */
  surcharge?: string;
  currency?: string;
  /** What is held by now. Major units. */
  hold?: string;
  /** The type of what was done, where the answer says it. */
  type?: string;
  /** The body as it came. */
  raw: Record<string, unknown>;
}
