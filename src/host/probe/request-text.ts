import type { Header } from './target.ts';

/** One request without a body, as its bytes: the headers given stand in the place of its own of the same name. */
export function requestText(line: string, own: readonly Header[], given: readonly Header[]): string {
  const replaced = new Set(given.map(({ name }) => name.toLowerCase()));
  const kept = own.filter(({ name }) => !replaced.has(name.toLowerCase()));
  const fields = [...kept, ...given].flatMap(({ name, value }) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `${[`${line} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`;
}
