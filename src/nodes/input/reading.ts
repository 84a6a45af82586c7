/** A field's value for one message, and where it came from: for errors that say so. */
export interface Reading {
  /** Undefined when absent or empty. */
  value: unknown;
  /** `msg.payload.amount`, `flow.x`, `env X`, or the field's own name for what was typed into the form. */
  source: string;
}

export type Readings = Readonly<Record<string, Reading>>;
