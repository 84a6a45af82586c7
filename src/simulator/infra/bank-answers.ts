/** What the bank says to the next card payment, instead of what it would say. */
export const BANK_ANSWER_MOMENTS = {
  /** Whatever the amount or the card would trigger. */
  'bank-approves': 'bank',
  /** 05: do not honour. */
  'bank-declines': 'bank',
  /** 51. */
  'bank-insufficient-funds': 'bank',
  /** 54. */
  'bank-expired-card': 'bank',
  /** 41. */
  'bank-lost-card': 'bank',
  /** Half of the amount, of a sale. */
  'bank-approves-part': 'bank',
  /** The answer takes `ms` longer (10 s unless told); after 30 s the terminal gives up. */
  'bank-answers-late': 'bank-line',
} as const;
