/** What a frontend of HAProxy passes on, read from its configuration. It knows the few rules that ours has, and refuses any other. */

interface Condition {
  isNegated: boolean;
  anyOf: string[];
}

export interface Frontend {
  /** Whether a request with this path, as it is sent, is passed on. */
  passes(path: string): boolean;
}

/** @throws for a rule that it does not know */
export function frontendIn(config: string, name: string): Frontend {
  const lines = config.split('\n').map((line) => line.replace(/#.*/, '').trimEnd());
  const begin = lines.indexOf(`frontend ${name}`);
  if (begin < 0) throw new Error(`there is no frontend ${name}`);
  const length = lines.slice(begin + 1).findIndex((line) => /^\S/.test(line));
  const tests = new Map<string, (path: string) => boolean>();
  const denials: Condition[] = [];
  for (const line of lines.slice(begin + 1, begin + 1 + length).map((one) => one.trim())) {
    const [, acl, match, flag, values] = /^acl (\w+) (path_beg|path_sub)( -i)? (.+)$/.exec(line) ?? [];
    const [, when, names] = /^http-request deny deny_status 404 (if|unless) ([\w ]+)$/.exec(line) ?? [];
    if (acl !== undefined && values !== undefined)
      tests.set(acl, matcher(match === 'path_beg', flag !== undefined, values));
    else if (names !== undefined) denials.push({ isNegated: when === 'unless', anyOf: names.split(' or ') });
    else if (!/^(bind :8080|default_backend node-reds|)$/.test(line)) throw new Error(`not understood: ${line}`);
  }
  const holds = (acl: string, path: string): boolean => {
    const test = tests.get(acl);
    if (test === undefined) throw new Error(`there is no acl ${acl}`);
    return test(path);
  };
  return {
    passes: (path) => !denials.some(({ isNegated, anyOf }) => anyOf.some((acl) => holds(acl, path)) !== isNegated),
  };
}

function matcher(isStart: boolean, ignoresCase: boolean, values: string): (path: string) => boolean {
  const cased = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  return (path) =>
    values
      .split(' ')
      .map(cased)
      .some((value) => (isStart ? cased(path).startsWith(value) : cased(path).includes(value)));
}
