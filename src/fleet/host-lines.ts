import { nearest } from '../settings/nearest.ts';

/** A line of a hosts file, or the word after `--host`; `place` names it in messages. */
export interface HostLine {
  readonly place: string;
  readonly text: string;
}

/** A line as it is written: a name, or `*` for all, and its overrides by their keys. */
export interface WrittenHost {
  readonly place: string;
  readonly name: string;
  readonly overrides: ReadonlyMap<string, string>;
}

export interface LineRead {
  /** Absent for an empty line, and for one that cannot be read. */
  readonly host?: WrittenHost;
  readonly mistakes: readonly string[];
}

/** Reads `[USER@]HOST[:PORT] key=value … # comment`. */
export function readHostLine({ place, text }: HostLine, known: readonly string[]): LineRead {
  const words = wordsOf(text);
  if (words === undefined) return { mistakes: [`${place}: a quotation mark is not closed.`] };
  const [name, ...rest] = words;
  if (name === undefined) return { mistakes: [] };
  const overrides = new Map<string, string>();
  const trouble = rest.map((word) => addOverride(overrides, word, known)).filter((one) => one !== undefined);
  return { host: { place, name, overrides }, mistakes: trouble.map((sentence) => `${place}: ${sentence}`) };
}

/**
 * The words of a line; `#` at the beginning of one starts a comment, quotation marks keep spaces. Undefined where one
 * is not closed.
 */
function wordsOf(line: string): readonly string[] | undefined {
  const word = /\s*(?!#)((?:[^\s"']|"[^"]*"|'[^']*')+)/y;
  const words: string[] = [];
  let end = 0;
  for (let found = word.exec(line); found !== null; found = word.exec(line)) {
    words.push((found[1] ?? '').replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
    end = word.lastIndex;
  }
  return /^\s*(?:#|$)/.test(line.slice(end)) ? words : undefined;
}

/** What is wrong with the word in a sentence, or undefined. A value is not repeated: it may hold a secret. */
function addOverride(overrides: Map<string, string>, word: string, known: readonly string[]): string | undefined {
  const [, key = '', value = ''] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
  if (key === '') return `${JSON.stringify(word)} is not key=value.`;
  if (!known.includes(key)) {
    const meant = nearest(key, known);
    return `${key} is not a known key${meant === undefined ? `; known are ${known.join(', ')}.` : `; did you mean ${meant}?`}`;
  }
  if (overrides.has(key)) return `${key} is there twice.`;
  if (value === '') return `${key} has no value.`;
  overrides.set(key, value);
  return undefined;
}
