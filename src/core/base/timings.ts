/** The times the service states, in ms, and the margins we keep to them (spec: Limits, Recovery procedure). */

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A `POST /transactions` we gave up on is closed by then, so it cannot reach a terminal later. */
export const REQUEST_LIFETIME = 20 * SECOND;
/** Before this, "no record" may be a card that was not presented yet. */
export const CARD_WINDOW = 90 * SECOND;
/** After this no terminal can still present a card for the request. */
export const RECOVERY_LIMIT = 360 * SECOND;
/** The status service may be this far behind the gateway. */
export const STATUS_LAG = 10 * SECOND;
/** What a terminal has sent to the gateway may still be on its way so long after the terminal has nothing to do any more. */
export const GATEWAY_TRAVEL = 5 * SECOND;
/** So long after the end of an operation everything about it has reached the status service. */
export const SETTLING_LAG = STATUS_LAG + GATEWAY_TRAVEL;
/** After a sign that the terminal has the request, a stop answered "nothing runs" proves that it has ended it. */
export const STOP_AFTER_SIGN = 20 * SECOND;
/** How long a decline in the status service may be followed by another try of the cardholder. */
export const ANOTHER_TRY = MINUTE;
/** What the last question before giving up may take to be answered. */
export const LAST_ANSWER = 30 * SECOND;
/** How long after the end of a watch its last question may take to be answered. */
export const WATCH_GRACE = 30 * MINUTE;
/** How long a partial approval that was read by polling may still be a question on the terminal's screen. */
export const PARTIAL_PROMPT = 60 * SECOND;
/** Between two tries at a busy terminal (the service asks for 2 to 5 seconds). */
export const BUSY_PAUSE = 3 * SECOND;
/** A 429 asks for one second; after a minute of them the key is overrun by somebody else. */
export const THROTTLE_PAUSE = SECOND;
export const THROTTLE_LIMIT = MINUTE;
/** How long a reversal by policy is tried before a person must look. */
export const REVERSAL_LIMIT = 2 * MINUTE;
/** How long an unsettled operation is watched: as long as a terminal goes on delivering. */
export const WATCH_LIMIT = 2 * 24 * 60 * MINUTE;
/** A linked refund by the back office of what is older may silently not arrive: 90 days, less one for how days are counted. */
export const REFUND_AGE = 89 * 24 * 60 * MINUTE;
