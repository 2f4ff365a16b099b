import type { Header } from './target.ts';

/**
 * One request without a body, as its bytes: the headers given replace its own of the same name. `Host` stays the first (RFC 9110,
 * section 7.2), and there is one of it; the others that were given are the last, as with curl.
 */
export function requestText(line: string, own: readonly Header[], given: readonly Header[]): string {
  const replaced = new Set(given.map(({ name }) => name.toLowerCase()));
  const kept = own.filter(({ name }) => !replaced.has(name.toLowerCase()));
  const fields = [...given.filter(isHost).slice(0, 1), ...kept, ...given.filter((header) => !isHost(header))].flatMap(
    fieldLine,
  );
  return `${[`${line} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`;
}

const isHost = ({ name }: Header): boolean => name.toLowerCase() === 'host';
/** `Host` is written in one way, as by curl. */
function fieldLine({ name, value, line }: Header): readonly string[] {
  if (value === undefined) return [];
  if (value === '') return [`${name}:`];
  return [isHost({ name }) ? `Host: ${value}` : (line ?? `${name}: ${value}`)];
}
