import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/run.mjs';
import { readTypes } from './lib/type-reader.mjs';

/**
 * `npm run message`: writes the tables of `docs/message.md` from the types of the messages.
 *   --check   writes nothing; exit code 1 if the page shows other tables
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const PAGE = join(ROOT, 'docs/message.md');

const types = readTypes([
  'src/core/api/schema/fields.ts',
  'src/core/operation/event.ts',
  'src/core/operation/outcome.ts',
  'src/core/operation/retry.ts',
  'src/core/operation/verdict.ts',
  'src/core/delivery/payload.ts',
  'src/nodes/action/answers.ts',
  'src/entries/messages.ts',
]);

const page = readFileSync(PAGE, 'utf8');
const PLACE = /(?<=<!-- (properties|values) (\w+)(?: (\S+))? -->\n).*?(?=<!-- end -->)/gs;
const written = page.replace(PLACE, (_, what, name, prefix = '') =>
  what === 'values' ? valueTable(types.valuesOf(name)) : propertyTable(types.membersOf(name, prefix)),
);
if (values.check) process.exitCode = written === page ? 0 : 1;
else writeFileSync(PAGE, written);

function propertyTable(rows) {
  const lines = rows.map(
    ({ path, type, optional, comment }) =>
      `| \`${path}\` | ${typeText(type)}${optional ? ', may be absent' : ''} | ${comment} |`,
  );
  return ['| property | type | meaning |', '|---|---|---|', ...lines, ''].join('\n');
}

function valueTable(rows) {
  return [
    '| value | meaning |',
    '|---|---|',
    ...rows.map(({ value, comment }) => `| \`${value}\` | ${comment} |`),
    '',
  ].join('\n');
}

/** Primitive types by name, values in code, everything else is one of a list of strings. */
function typeText(type) {
  if (/^Record<|^object/.test(type)) return type.endsWith('[]') ? 'object[]' : 'object';
  const options = type.split(' | ');
  if (options.every((option) => option.startsWith("'")))
    return options.map((option) => `\`${option.replaceAll("'", '')}\``).join(' or ');
  return /^[A-Z]/.test(type) ? 'string' : type;
}
