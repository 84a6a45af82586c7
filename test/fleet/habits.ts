/** What customers do: shares of 1, and ms. */
export interface Habits {
  /** A hold instead of a sale. */
  holds: number;
  /** A refund, a reversal or a tip after a sale. */
  followUps: number;
  /** The card is tapped at most so long after the terminal asks for it. */
  tapMs: number;
  /** Cancelled on the terminal. */
  cancels: number;
  /** The client's connection ends before there is a response. */
  disconnects: number;
  /** A client waits so long for a response before it asks again. */
  patienceMs: number;
  /** The next customer comes so long after the last one, at least and at most. */
  pauseMs: readonly [number, number];
}

export const USUAL: Habits = {
  ...{
    holds: 0.15,
    followUps: 0.35,
    tapMs: 800,
    cancels: 0.02,
    disconnects: 0.02,
    patienceMs: 15_000,
    pauseMs: [1, 1000],
  },
};

/** One sale after the other, as fast as can be. */
export const BUSY: Habits = {
  holds: 0,
  followUps: 0,
  tapMs: 0,
  cancels: 0,
  disconnects: 0,
  patienceMs: 60_000,
  pauseMs: [1, 1],
};
