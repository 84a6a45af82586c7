/** Texts that may read as in English: code and values everywhere, and words that a language shares with it. */

/** Examples of values, and names that are written the same wherever people read them. */
const EVERYWHERE: readonly string[] = ['RRN', 'MOTO', 'Token', 'token', 'Acquirer', 'Batch', 'Journal', 'journal'];

export function isSameInEveryLanguage(key: string, text: string): boolean {
  return key.startsWith('placeholder.') || EVERYWHERE.includes(text);
}

/** Words that are spelt alike in English and that language. */
export const SAME: Readonly<Record<string, readonly string[]>> = {
  de: ['Terminal', 'Status', 'Callbacks', 'Original', 'Staging', 'Ping', 'Node', 'LIVE', 'LIVE?'],
  fr: ['Terminal', 'Service', 'Secret', 'Type', 'Original', 'ping', 'Transaction', 'capture'],
  'es-ES': ['Terminal', 'Callbacks', 'Original', 'ping'],
  ja: ['ping'],
};
