/**
 * Faults for what the description of the service leaves open, and for what deployments do against it. Each strikes one
 * request or one payment.
 */
export const READING_FAULT_MOMENTS = {
  /** Acts `ms` later (90 s unless told, at most 110 s), after its client has stopped waiting. */
  'acts-late': 'request',

  /** `POST /transactions` runs twice, and the client sees the second answer where that is 1001. */
  'repeated-request': 'order',
  /** `POST /transactions` runs twice, and the client sees the second answer, which is 429. */
  'repeated-request-throttled': 'order',
  /** A flat 4xx (`status`, 404 unless told) instead of acting. */
  'order-refused-before': 'order',
  /** A page of a proxy instead of acting. */
  'web-page-before': 'order',
  /** A flat 401, 404, 408 or 409 (`status`, 404 unless told) although the terminal has started. */
  'order-refused-after': 'order-answer',
  /** A page of a proxy although the terminal has started. */
  'web-page-after': 'order-answer',

  /** A field that is nested 5,000 levels deep. */
  'body-deep': 'body',
  /** Objects where texts belong. */
  'body-objects-for-texts': 'body',
  /** `finStatus` is `word`: `__proto__` unless told. */
  'body-strange-status': 'body',
  'body-numbers-as-texts': 'body',
  /** A text of 100,000 characters. */
  'body-huge-text': 'body',
  /** Card numbers as names of properties. */
  'body-card-numbers': 'body',
  /** An error text that repeats the key and the callback token of the request. */
  'body-echoes-secrets': 'body',

  /** `/moto/sale`: `finStatus` AUTHORISED and no approval code. `isDone: false`: nothing was done. The same for the next seven. */
  'moto-authorised-without-code': 'moto-sale',
  /** `/moto/sale`: issuer code 00 and no approval code. */
  'moto-00-without-code': 'moto-sale',
  /** `/moto/sale`: `finStatus` UNDEFINED and issuer code 00. */
  'moto-undefined-with-00': 'moto-sale',
  'capture-without-status': 'capture',
  'increase-without-hold': 'increase',
  /** 200 and `{}`. */
  'body-empty': 'back-office',
  /** 200 and an object that has nothing to do with it. */
  'body-foreign': 'back-office',
  /** 200 and the body of an error. */
  'error-with-200': 'back-office',
  /** 200 and `finStatus` DECLINED. */
  'declined-with-200': 'back-office',
  /** 200 and issuer code 30. */
  'code-30-with-200': 'back-office',

  /** The terminal asks for the card only after `ms` (85 s unless told). */
  'card-read-late': 'awaiting-card',
  /** The result is reported `ms` after the payment has ended (88 s unless told). */
  'result-late': 'reporting',
  /** The result is UNDEFINED at first, and the real one follows `ms` later (20 s unless told). */
  'undefined-first': 'reporting',

  'result-other-type': 'wording',
  'result-type-undefined': 'wording',
  'result-zero': 'wording',
  'result-negative': 'wording',
  'result-tenfold': 'wording',
  'result-other-currency': 'wording',
  'result-without-amounts': 'wording',
  'result-empty-amounts': 'wording',
  'result-unreadable-amounts': 'wording',
  'result-unreadable-status': 'wording',
  'result-without-id': 'wording',
  /** The status cannot be read, and the status service never has a record of the payment. */
  'result-unreadable-unrecorded': 'wording',

  /** The issuer declines; the cardholder tries again on the same terminal, and the reference has a second entry. */
  'declined-then-approved': 'decision',
  /**
   * Terminal and gateway say FAILED, or the gateway alone where the request is `/moto/sale`, which gets a 504. The bank has
   * approved, and the entry says so `ms` later (60 s unless told).
   */
  'failed-then-approved': 'decision',

  /** The status service has a record, and answers as if it had none. */
  'status-record-missing': 'status-with-record',
  /** The status service shows a record for the last time. */
  'status-record-gone': 'status-with-record',
} as const;

export const READING_FAULT_KINDS = Object.keys(READING_FAULT_MOMENTS) as (keyof typeof READING_FAULT_MOMENTS)[];
