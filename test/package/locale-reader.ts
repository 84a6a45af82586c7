/** What can be compared between two languages: the texts of a catalogue, and how a node's help is built. */

/** Text by key, such as `label.amount`, in the order of the file. */
export type Texts = ReadonlyMap<string, string>;

export function textsOf(catalogue: object, before = ''): Texts {
  return new Map(
    Object.entries(catalogue).flatMap(([key, value]): [string, string][] =>
      typeof value === 'object' ? [...textsOf(value, `${before}${key}.`)] : [[before + key, String(value)]],
    ),
  );
}

/** What stands for a value or is code, and therefore in every language the same: `__x__`, `{{x}}`, `{x}`, `{"a": 1}`, `msg.x`. */
export function placeholdersOf(text: string): string[] {
  const code =
    /__\w+__|\{\{.*?\}\}|\{".*?\}|\{\w+\}|\b(?:msg|payload)\.[\w.]*\w|\b[a-z]+[A-Z]\w*\b|\b[A-Z]+_[A-Z_]+\b|https:\/\/\S+/g;
  return (text.match(code) ?? []).sort();
}

interface Help {
  sections: string[];
  /** Name and type of each property, below the heading of its section by number. */
  properties: string[];
  /** Lines that are meant as properties, and that the editor would not show as such. */
  unreadable: string[];
  /** The kind of each line. */
  shape: string[];
  /** Names of the numbered outputs. */
  outputs: string[];
  /** What is set in backticks. */
  code: string[];
  /** What people read: everything but headings. */
  sentences: string[];
}

/** As the editor reads it: name, type in brackets, and text behind the last colon. */
const PROPERTY = /^: ([^:\n]+) \(([^:\n]+)\) : ([^:\n]*\S)$/;

export function helpOf(markdown: string): Help {
  const lines = markdown.split('\n');
  const headings = lines.filter((line) => line.startsWith('#'));
  const sectionOf = (index: number): number => lines.slice(0, index).filter((line) => line.startsWith('#')).length;
  const properties = lines.flatMap((line, index) => {
    const [, name, type] = PROPERTY.exec(line) ?? [];
    return name === undefined ? [] : [`${sectionOf(index)}: ${name} (${type})`];
  });
  return {
    sections: headings.map((line) => line.replace(/^### /, '')),
    properties,
    unreadable: lines.filter((line) => line.trim().startsWith(':') && !PROPERTY.test(line)),
    shape: lines.map(kindOf),
    outputs: lines.flatMap((line) => /^\d+\. (.+)$/.exec(line)?.[1] ?? []),
    code: [...markdown.matchAll(/`[^`\n]+`/g)].map(([code]) => code).sort(),
    sentences: lines.filter((line) => line !== '' && !line.startsWith('#')),
  };
}

function kindOf(line: string): string {
  if (line === '') return 'gap';
  return /^(#+|:|\d+\.| ?-) /.exec(line)?.[1]?.trim() ?? 'paragraph';
}
