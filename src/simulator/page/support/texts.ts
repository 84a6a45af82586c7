import type english from '../texts/en-US.json';
import { keptByEditor } from './kept-by-editor.js';

/** The texts of the page, in the language of the editor that opened it, or else in that of the browser. */

export type Key = keyof typeof english;

const LANGUAGES = ['en-US', 'de', 'fr', 'es-ES', 'ja'] as const;

let texts: Partial<Record<Key, string>> = {};
let chosen: string = LANGUAGES[0];

/** The first wanted language that is available. */
function languageFor(wanted: readonly string[]): (typeof LANGUAGES)[number] {
  for (const tag of wanted) {
    const [language = ''] = tag.toLowerCase().split('-');
    const found = LANGUAGES.find((one) => one.toLowerCase().split('-')[0] === language);
    if (found !== undefined) return found;
  }
  return LANGUAGES[0];
}

export async function loadTexts(): Promise<void> {
  chosen = languageFor([keptByEditor(() => 'editor-language') ?? '', ...navigator.languages]);
  const answer = await fetch(`texts/${chosen}.json`);
  texts = await answer.json();
  document.documentElement.lang = chosen;
  document.title = t('title');
}

/** A text of the catalogue, with each `{name}` replaced by its value. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** The text for a name used by the service; the name itself if the catalogue has none. */
export function named(group: string, name: string): string {
  return texts[`${group}.${name}` as Key] ?? name;
}

export function language(): string {
  return chosen;
}
