/**
 * Short names for reasons, which the locales have words for (`reason.*`), by the code of an error: the service's own
 * (spec: Errors) or ours.
 */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['1001', 'terminal-busy'],
  ['TERMINAL_BUSY', 'terminal-busy'],
  ['1002', 'terminal-offline'],
  ['1003', 'stop-not-allowed'],
  ['1004', 'terminal-not-assigned'],
  ['1005', 'nothing-to-stop'],
  ['4002', 'terminal-fault'],
  ['4580', 'terminal-fault'],
  ['4021', 'approved-too-late'],
  ['4351', 'card-pulled'],
  ['4352', 'card-refused'],
  ['4353', 'not-signed'],
  ['4354', 'rejected-at-terminal'],
  ['429', 'too-many-requests'],
  ['NOT_SENT', 'not-sent'],
  ['NOT_STARTED', 'not-started'],
  ['3051', 'already-reversed'],
  ['3052', 'already-completed'],
  ['3153', 'nothing-to-reverse'],
  ['3209', 'above-original'],
  ['4066', 'above-original'],
  ['3109', 'partial-not-supported'],
  ['3215', 'above-hold'],
  ['5252', 'card-token'],
  ['LATE_APPROVAL_REVERSED', 'late-approval-reversed'],
  ['PARTIAL_APPROVAL_REVERSED', 'partial-approval-reversed'],
  ['AMOUNT_DIFFERS', 'amount-differs'],
  ['REVERSAL_UNPROVEN', 'reversal-unproven'],
  ['OUTCOME_UNKNOWN', 'outcome-unknown'],
  ['APPROVAL_UNCONFIRMED', 'approval-unconfirmed'],
  ['FAILURE_UNCONFIRMED', 'failure-unconfirmed'],
  ['NOT_ANSWERED', 'not-answered'],
  ['WATCH_ENDED', 'watch-ended'],
  ['NO_WITNESS', 'no-witness'],
  ['ONLY_CALLBACK', 'no-witness'],
  ['JOURNAL_UNAVAILABLE', 'journal-unavailable'],
  ['SERVICE_CHANGED', 'service-changed'],
  ['PARTLY_REFUNDED', 'partly-refunded'],
]);

/** More does not fit below a node. */
const LONGEST = 60;

/** The name of a reason; where it has none, the words of whoever gave it, and else its code. */
export function reasonName({ code = '', message = '' }: { code?: string; message?: string }): string {
  const words = NAMES.get(code) ?? (message.trim() || code);
  return words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words;
}

export const REASON_NAMES: readonly string[] = [...new Set(NAMES.values())];
