/** The service's documented times, in ms, and our safety margins (spec: Limits, Recovery procedure). */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/**
 * Deadline of a `POST /transactions`. What we gave up on is closed by then, so it cannot reach a terminal later: an idle
 * terminal proves nothing before.
 */
export const REQUEST_LIFETIME = 20 * SECOND;
/** Deadline of a request to the back office. The service may act later than this, but not after the recovery limit. */
export const BACK_OFFICE_REQUEST_LIFETIME = 60 * SECOND;
/** Deadline of what changes nothing: polls, status queries, lists. */
export const READ_DEADLINE = 15 * SECOND;
/** What the last question before giving up may take: to be answered, twice. */
export const LAST_ANSWER = 2 * READ_DEADLINE;
/** Before this, "no record" may be a card that was not presented yet. */
export const CARD_WINDOW = 90 * SECOND;
/** An operation waits no longer than this for a look at a chain that would help but is not needed, ms. */
export const GLANCE_WAIT = 3 * SECOND;
/** After this time no terminal can still present a card for the request. */
export const RECOVERY_LIMIT = 360 * SECOND;
/** The most that the status service is behind the gateway. */
export const STATUS_LAG = 10 * SECOND;
/** What a terminal has sent to the gateway may still be on its way so long after the terminal has nothing to do any more. */
const GATEWAY_TRAVEL = 5 * SECOND;
/** So long after the end of an operation everything about it has reached the status service. */
export const SETTLING_LAG = STATUS_LAG + GATEWAY_TRAVEL;
/** A record may be missing from one answer: that there is none, two answers have to say, at least this far apart. */
export const SECOND_LOOK = 5 * SECOND;
/** After a sign that the terminal has the request, a stop answered "nothing runs" proves that it has ended it. */
export const STOP_AFTER_SIGN = 20 * SECOND;
/** A terminal that is still at what moves no money is stopped so long before its end, so that the next payment finds it free. */
export const STOP_BEFORE_END = 5 * SECOND;
/** How long a decline in the status service may be followed by another try of the cardholder. */
export const ANOTHER_TRY = MINUTE;
/** How long after the end of a watch its last question may take to be answered. */
export const WATCH_GRACE = 30 * MINUTE;
/**
 * From so long after a partial approval was first polled on, what is asked says how the question on the screen was answered:
 * it stays there for 60 s, and what follows from the answer takes up to 10 s to show.
 */
export const PARTIAL_SETTLED = 70 * SECOND;
/** Pause between two attempts at a busy terminal (the service asks for 2 to 5 seconds). */
export const BUSY_PAUSE = 3 * SECOND;
/** Pause after a 429. After a minute of them, another user of the key is exceeding its limit. */
export const THROTTLE_PAUSE = SECOND;
export const THROTTLE_LIMIT = MINUTE;
/** What was asked of a terminal longer ago is not begun: the person who waited for it has gone. */
export const STALE_AFTER = THROTTLE_LIMIT;
/** What was asked of the back office longer ago is not begun, unless the order says otherwise. */
export const BACK_OFFICE_STALE_AFTER = 15 * MINUTE;
/** How long after its first sending a question or a close of a numbered batch is sent again after a lost answer. */
export const RETRY_FOR = 2 * MINUTE;
/** How long after its first sending what moves money is sent again: later, somebody else may have done something about it. */
export const RESEND_FOR = MINUTE;
/**
 * Sooner after its sale the approval of a tip may be one without effect (spec: Limits, "unreliable within about 60 s of the
 * sale"): what is sent later counts.
 */
export const TIP_RELIABLE = MINUTE;
/** The pauses between two sendings: they double. */
export const FIRST_RETRY_PAUSE = 2 * SECOND;
export const LONGEST_RETRY_PAUSE = 15 * SECOND;
/**
 * A record that was written last so long ago may be that of a backup of the journal: what it does not know of may have been
 * sent, told, or given back. A younger one can be told from that, as the process that wrote it would have begun or ended it.
 */
export const BACKUP_AGE = 15 * MINUTE;
/** How long the flow waits for a journal that cannot be written before it hears of that. */
export const JOURNAL_PATIENCE = MINUTE;
/** How long a reversal by policy is tried before a person must look. */
export const REVERSAL_LIMIT = 2 * MINUTE;
/** A flow that relies on a "no" is not left with it for longer while what it charged goes back. */
export const REVERSAL_PATIENCE = 5 * SECOND;
/** After this the flow is told what is known of a lost answer of the back office: as late as of a payment on a terminal. */
export const RECONCILIATION_LIMIT = RECOVERY_LIMIT + LAST_ANSWER;
/** How long an unsettled operation is watched: as long as a terminal goes on delivering. */
export const WATCH_LIMIT = 2 * DAY;
/** A linked refund by the back office of what is older may silently not arrive: 90 days, less one for how days are counted. */
export const REFUND_AGE = 89 * DAY;
/** Two clocks that are right enough differ by less. */
export const CLOCK_DIFFERENCE = DAY;
