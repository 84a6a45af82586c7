import { SealedJson } from '../../base/privacy/sealed-json.js';
import { newNonce } from '../../platform/new-nonce.js';
import type { EngineOptions } from '../options.js';

const PURPOSE = 'cloud-terminal doors 1';

/** What the processes of an environment write for each other opens with the secret that they share. */
export function doorSeal({ callback, apiKey }: Pick<EngineOptions, 'callback' | 'apiKey'>): SealedJson {
  const { secret = apiKey, earlierSecrets = [] } = callback ?? {};
  return new SealedJson(secret, earlierSecrets, PURPOSE, newNonce);
}
