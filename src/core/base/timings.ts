/** The service's documented times, in ms, and our safety margins (spec: Limits, Recovery procedure). */

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Deadline of a `POST /transactions`. The connection is closed then, so the request cannot reach a terminal later. */
export const REQUEST_LIFETIME = 20 * SECOND;
/** Before this time, "no record" may mean that the card was not presented yet. */
export const CARD_WINDOW = 90 * SECOND;
/** After this time no terminal can still present a card for the request. */
export const RECOVERY_LIMIT = 360 * SECOND;
/** The most that the status service is behind the gateway. */
export const STATUS_LAG = 10 * SECOND;
/** How long a terminal's last message may take to reach the gateway after the operation has ended on the terminal. */
export const GATEWAY_TRAVEL = 5 * SECOND;
/** How long the last status query before giving up may take. */
export const LAST_ANSWER = 20 * SECOND;
/** How long a polled partial approval may still be a prompt on the terminal's screen. */
export const PARTIAL_PROMPT = 60 * SECOND;
/** Pause between two attempts at a busy terminal (the service asks for 2 to 5 seconds). */
export const BUSY_PAUSE = 3 * SECOND;
/** Pause after a 429. After a minute of them, another user of the key is exceeding its limit. */
export const THROTTLE_PAUSE = SECOND;
export const THROTTLE_LIMIT = MINUTE;
/** How long a reversal by policy is tried before a person must check. */
export const REVERSAL_LIMIT = 2 * MINUTE;
/** How long an unsettled operation is watched: as long as a terminal retries its callback. */
export const WATCH_LIMIT = 2 * 24 * 60 * MINUTE;
/**
 * Age of a sale from which its refund through the back office may silently fail: 90 days, less one because the
 * service's way of counting days is not known.
 */
export const REFUND_AGE = 89 * 24 * 60 * MINUTE;
