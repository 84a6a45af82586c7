/** Types of the entries of a chain that take another one of it back (spec: type values). */
export const REVERSAL_TYPES: ReadonlySet<string> = new Set([
  'REVERSAL',
  'MOTO_REVERSAL',
  'PRE_AUTHORIZATION_REVERSAL',
  'VOID_SALE',
]);
