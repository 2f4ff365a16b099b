import type { Context } from '../command/context.ts';

/** The settings of a file after `${NAME}` was replaced, and the mistakes, one sentence each. */
export interface FilledIn {
  readonly value: unknown;
  readonly mistakes: readonly string[];
}

/**
 * Replaces `${NAME}` in any text by that environment variable, so that no secret needs to be in the file. A text with
 * an unset variable is left out. In an address of `validation` only the part up to the host may come from a variable:
 * the rest is written to the run folder.
 */
export function withEnvironment(file: string, value: unknown, environment: Context['environment']): FilledIn {
  const mistakes = new Set<string>();
  const fill: Fill = (text, place) => {
    const names = [...text.matchAll(variable)].map(([, name = '']) => name);
    const unset = names.filter((name) => environment[name] === undefined);
    for (const name of unset) mistakes.add(`${file} uses \${${name}}, but ${name} is not set in the environment.`);
    if (unset.length > 0) return undefined;
    const filled = text.replaceAll(variable, (_, name: string) => environment[name] ?? '');
    if (isWritten(place) && !text.endsWith(afterHost(filled))) mistakes.add(wouldBeWritten(file, place));
    return filled;
  };
  return { value: eachText(value, [], fill), mistakes: [...mistakes] };
}

type Fill = (text: string, place: readonly string[]) => string | undefined;

const variable = /\$\{([A-Za-z_]\w*)\}/g;

/** Path and query of an address, after any number of slashes before its host; empty for any other text. */
function afterHost(text: string): string {
  const { protocol, pathname, search, hash } = URL.parse(text) ?? {};
  if (!/^https?:$/.test(protocol ?? '') || `${pathname}${search}${hash}` === '/') return '';
  return /^[^:]*:[/\\]*[^/\\?#]*(.*)$/s.exec(text)?.[1] ?? '';
}

/** Headers and the address of a proxy are not written to the run folder. */
const isWritten = ([area, , key = '']: readonly string[]): boolean =>
  area === 'validation' && !['headers', 'proxy'].includes(key);

const wouldBeWritten = (file: string, place: readonly string[]): string =>
  `${file}: ${place.join('.')} takes its path or query from the environment, but both are written to the run folder as plain text: write them into the file, and use no secret in them.`;

function eachText(value: unknown, place: readonly string[], fill: Fill): unknown {
  if (typeof value === 'string') return fill(value, place);
  if (Array.isArray(value))
    return value
      .map((item, index) => eachText(item, [...place, String(index)], fill))
      .filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, item]) => [key, eachText(item, [...place, key], fill)]);
  return Object.fromEntries(members.filter(([, item]) => item !== undefined));
}
