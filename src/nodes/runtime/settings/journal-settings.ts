import { ConfigurationError } from '../../../core/base/errors.js';
import { configInteger, configText } from './config-values.js';

/** Where payments are recorded, and for how long. */
export interface JournalSettings {
  store: 'embedded' | 'postgresql';
  /** Of the embedded journal. Empty: below the user folder. */
  folder: string;
  /** Of the database, with user name and password; otherwise empty. */
  address: string;
  /** The same database without a pooler before it, for notifications. Empty: the same address. */
  directAddress: string;
  /** How many days a closed operation is kept. */
  keepDays: number;
}

const KEEP_DAYS = 400;
/** More than the two days for which an operation is watched. */
const MIN_KEEP_DAYS = 3;

/** The settings of a journal node, or the defaults. @throws ConfigurationError */
export function journalSettings(
  { store = 'embedded', folder, keepDays }: Partial<Record<keyof JournalSettings, unknown>> = {},
  credentials: { address?: string; directAddress?: string } = {},
): JournalSettings {
  const kept = configInteger('days to keep', keepDays, { fallback: KEEP_DAYS, min: MIN_KEEP_DAYS });
  switch (configText('journal', store)) {
    case 'embedded':
      return {
        store: 'embedded',
        folder: configText('journal folder', folder),
        address: '',
        directAddress: '',
        keepDays: kept,
      };
    case 'postgresql':
      return {
        store: 'postgresql',
        folder: '',
        address: databaseAddress(credentials.address),
        directAddress: configText('direct address of the database', credentials.directAddress),
        keepDays: kept,
      };
    default:
      throw new ConfigurationError('the journal: expected one of embedded, postgresql');
  }
}

function databaseAddress(value: unknown): string {
  const address = configText('address of the database', value);
  if (address === '') throw new ConfigurationError('the journal has no address of a database');
  return address;
}
