import { configInteger, configText } from './config-values.js';

/** Where payments are recorded, and for how long. */
export interface JournalSettings {
  /** Empty: below the user folder. */
  folder: string;
  /** Days that a closed operation is kept. */
  keepDays: number;
}

const KEEP_DAYS = 400;
/** An operation is watched for two days. */
const SHORTEST = 3;

/** Of a journal node's form, or of none. @throws ConfigurationError */
export function journalSettings({
  folder,
  keepDays,
}: Partial<Record<keyof JournalSettings, unknown>> = {}): JournalSettings {
  return {
    folder: configText('journal folder', folder),
    keepDays: configInteger('days to keep', keepDays, { fallback: KEEP_DAYS, min: SHORTEST }),
  };
}
