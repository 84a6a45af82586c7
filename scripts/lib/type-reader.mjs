import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/**
 * Reads the interfaces and unions that describe messages from their sources. They are written one property or value to a
 * line, each below its comment; anything else is an error, so that no property stays without a description.
 */

const INTERFACE = /^(?:export )?interface (\w+)(?: extends ([\w, ]+))? \{\n(.*?)^\}/gms;
const MEMBER = /(?: {2}\/\*\*(.*?)\*\/\n)? {2}(\w+)(\?)?: ([^;]+);/gs;
const UNION = /^export type (\w+) =\n(.*?);$/gms;
const VALUE = /(?: {2}\/\*\*(.*?)\*\/\n)? {2}\| '([^']+)'/gs;

/** @param files paths below the project's folder */
export function readTypes(files) {
  const interfaces = new Map();
  const unions = new Map();
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    for (const [, name, parents = '', body] of text.matchAll(INTERFACE)) {
      const members = [...body.matchAll(MEMBER)].map(([, comment, property, optional, type]) => ({
        name: property,
        type,
        optional: optional !== undefined,
        comment: described(comment, `${name}.${property}`),
      }));
      interfaces.set(name, { parents: parents.split(', ').filter(Boolean), members });
    }
    for (const [, name, body] of text.matchAll(UNION)) {
      const values = [...body.matchAll(VALUE)];
      // A union that no page shows may have values without a comment.
      unions.set(name, () =>
        values.map(([, comment, value]) => ({ value, comment: described(comment, `${name}.${value}`) })),
      );
    }
  }
  return { membersOf, valuesOf: (name) => known(unions, name)() };

  /** Properties of an interface and of those below it, by path: `amount.minor.tip`. */
  function membersOf(name, before = '') {
    const { parents, members } = known(interfaces, name);
    // A property that is declared again says more than that of the parent.
    const own = new Set(members.map((member) => member.name));
    const inherited = parents
      .flatMap((parent) => membersOf(parent, before))
      .filter(({ path }) => !own.has(path.slice(before.length).split(/[.[]/)[0]));
    return [...inherited, ...members.flatMap((member) => pathsOf(member, before))];
  }

  function pathsOf({ name, type, optional, comment }, before) {
    const path = `${before}${name}`;
    const element = type.replace(/\[\]$/, '');
    const isList = element !== type;
    const row = { path, type, optional, comment };
    if (!interfaces.has(element)) return [row];
    return [{ ...row, type: isList ? 'object[]' : 'object' }, ...membersOf(element, `${path}${isList ? '[]' : ''}.`)];
  }
}

function known(map, name) {
  const found = map.get(name);
  if (found === undefined) throw new Error(`no type ${name}`);
  return found;
}

function described(comment, of) {
  if (comment === undefined) throw new Error(`${of} has no description`);
  return comment.replace(/\s*\n\s*\*\s*/g, ' ').trim();
}
