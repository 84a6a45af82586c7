/** Types of the chain entries that reverse another entry (spec: type values). */
export const REVERSAL_TYPES: ReadonlySet<string> = new Set([
  'REVERSAL',
  'MOTO_REVERSAL',
  'PRE_AUTHORIZATION_REVERSAL',
  'VOID_SALE',
]);
