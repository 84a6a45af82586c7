import type { TransportOptions } from '../api/transport/transport.js';
import type { CallbackSettings } from '../base/callback.js';
import type { NewId } from '../base/seams.js';
import type { Journal } from '../journal/journal.js';

export interface EngineOptions extends TransportOptions {
  /** Id of the environment; the journal keeps operations apart by it. */
  environment: string;
  newId: NewId;
  journal: Journal;
  /** Where results are called back to; without it everything works by polling. */
  callback?: CallbackSettings;
}
