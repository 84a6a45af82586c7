/** Finds the text of the catalogue for a line of the timeline. */

export interface EventWords {
  /** Key below `event`. */
  key: string;
  /** Keys below `event.figure`, by the name of their placeholder in the text. */
  figures: Record<string, string>;
}

const WITH_FIGURES: readonly { key: string; line: RegExp }[] = [
  { key: 'terminal-says', line: /^terminal says (?<what>[\w-]+) \((?<how>\w+)\)$/ },
  { key: 'status-service-says', line: /^status service says (?<what>[\w-]+)$/ },
  { key: 'done-before', line: /^done before \(.*\)$/ },
];

export function wordsOfEvent(line: string): EventWords {
  for (const { key, line: pattern } of WITH_FIGURES) {
    const found = pattern.exec(line);
    if (found !== null) return { key, figures: { ...found.groups } };
  }
  return { key: line.replace(/[^a-z]+/gi, '-'), figures: {} };
}
