import { isBadKey } from '../../core/api/transport/error-answer.js';
import { RefusedError } from '../../core/base/errors.js';

/** A service that refuses a key does not say whose: names the environment, which is where the key is set. */
export function namedByEnvironment(error: Error, environment: string): Error {
  if (!(error instanceof RefusedError) || !isBadKey(error)) return error;
  const { status, serviceName: name, message } = error;
  return new RefusedError({ status, name, message: `${environment}: the API key is refused. ${message}` });
}
