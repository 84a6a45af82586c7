import { type Body, type Check, isObject, problemsOf } from './checks.js';
import { type Answer, invalidBody } from './errors.js';

/** Acts on a body that passes its check; answers 422 for one that does not. */
export function checked(check: Check, body: unknown, act: (fields: Body) => Answer): Answer {
  const problems = problemsOf(check, body);
  return problems.length > 0 || !isObject(body) ? invalidBody(problems) : act(body);
}

export function badAmount(path: string): Answer {
  return invalidBody([{ path, code: 'amount', message: 'should be an amount of the currency' }]);
}
