import { configInteger, configText } from './config-values.js';

/** Where payments are recorded, and for how long. */
export interface JournalSettings {
  /** Empty: below the user folder. */
  folder: string;
  /** How many days a closed operation is kept. */
  keepDays: number;
}

const KEEP_DAYS = 400;
/** More than the two days for which an operation is watched. */
const MIN_KEEP_DAYS = 3;

/** The settings of a journal node, or the defaults. @throws ConfigurationError */
export function journalSettings({
  folder,
  keepDays,
}: Partial<Record<keyof JournalSettings, unknown>> = {}): JournalSettings {
  return {
    folder: configText('journal folder', folder),
    keepDays: configInteger('days to keep', keepDays, { fallback: KEEP_DAYS, min: MIN_KEEP_DAYS }),
  };
}
