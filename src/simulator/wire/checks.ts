import { type Answer, invalidBody, type Problem } from './errors.js';

/** Building blocks of the service's validation. A check reports what is wrong with the value at a path. */

export type Report = (problem: Problem) => void;
export type Check = (value: unknown, path: string, report: Report) => void;

export type Body = Record<string, unknown>;

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function text(rules: { min?: number; max?: number; pattern?: RegExp } = {}): Check {
  const { min = 0, max = Number.POSITIVE_INFINITY, pattern } = rules;
  return (value, path, report) => {
    if (typeof value !== 'string') return report({ path, code: 'type', message: 'should be string' });
    if (value.length < min)
      report({ path, code: 'minLength', message: `should NOT have fewer than ${min} characters` });
    if (value.length > max) report({ path, code: 'maxLength', message: `should NOT have more than ${max} characters` });
    if (pattern !== undefined && !pattern.test(value)) {
      report({ path, code: 'pattern', message: `should match pattern "${pattern.source}"` });
    }
  };
}

export function oneOf(...allowed: readonly string[]): Check {
  return (value, path, report) => {
    if (typeof value !== 'string' || !allowed.includes(value)) {
      report({ path, code: 'enum', message: `should be one of ${allowed.join(', ')}` });
    }
  };
}

export const bool: Check = (value, path, report) => {
  if (typeof value !== 'boolean') report({ path, code: 'type', message: 'should be boolean' });
};

export function integer(min: number, max: number): Check {
  return (value, path, report) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
      report({ path, code: 'range', message: `should be an integer from ${min} to ${max}` });
    }
  };
}

/** An object with these fields and no others; the `required` ones must be present. */
export function object(fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value, path, report) => {
    if (!isObject(value)) return report({ path, code: 'type', message: 'should be object' });
    for (const name of required) {
      if (value[name] === undefined) {
        report({ path, code: 'required', message: `should have required property '${name}'` });
      }
    }
    for (const name in value) {
      const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (check !== undefined) check(value[name], `${path}/${name}`, report);
      else report({ path, code: 'additionalProperties', message: `should NOT have additional property '${name}'` });
    }
  };
}

export function list(item: Check, min: number): Check {
  return (value, path, report) => {
    if (!Array.isArray(value)) return report({ path, code: 'type', message: 'should be array' });
    if (value.length < min) report({ path, code: 'minItems', message: `should NOT have fewer than ${min} items` });
    value.forEach((entry, index) => {
      item(entry, `${path}/${index}`, report);
    });
  };
}

/** The problems of a body; empty if it is valid. */
export function problemsOf(check: Check, body: unknown): Problem[] {
  const problems: Problem[] = [];
  check(body, '', (problem) => problems.push(problem));
  return problems;
}

/** Calls `act` with a body that passes its check; responds with a 422 otherwise. */
export function checked(check: Check, body: unknown, act: (fields: Body) => Answer): Answer {
  const problems = problemsOf(check, body);
  return problems.length > 0 || !isObject(body) ? invalidBody(problems) : act(body);
}

export function badAmount(path: string): Answer {
  return invalidBody([{ path, code: 'amount', message: 'should be an amount of the currency' }]);
}
