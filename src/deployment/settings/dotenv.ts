/** A line of an environment file that PHP's dotenv refuses. No value is in it: values are secrets. */
export interface DotenvMistake {
  /** From 1: where the entry begins. */
  readonly line: number;
  /** The variable; empty where the line has no name. */
  readonly name: string;
  readonly because: string;
}

/**
 * The first mistake in an environment file by the rules of vlucas/phpdotenv 5 (its Parser, Lines and EntryParser),
 * which Laravel uses: an application with such a file does not start. Undefined where it can be read.
 */
export function dotenvMistake(text: string): DotenvMistake | undefined {
  for (const { line, entry } of entriesOf(text)) {
    const found = mistakeIn(entry);
    if (found !== undefined) return { line, ...found };
  }
  return undefined;
}

interface Entry {
  readonly line: number;
  readonly entry: string;
}

/**
 * Joins the lines of a value that begins with `="` and ends on a later line. One that never ends is dropped, as there.
 */
function entriesOf(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  let open: { readonly line: number; readonly lines: string[] } | undefined;
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const begins = open === undefined && line.includes('="') && !endsValue(line, true);
    if (open === undefined && !begins) entries.push({ line: index + 1, entry: line });
    if (begins) open = { line: index + 1, lines: [line] };
    else open?.lines.push(line);
    if (open === undefined || !endsValue(line, begins)) continue;
    entries.push({ line: open.line, entry: open.lines.join('\n') });
    open = undefined;
  }
  return entries.filter(({ entry }) => !/^(?:#|$)/.test(trimmed(entry)));
}

/** Whether the line has the quote that ends the value: the second one where the value begins in it. */
function endsValue(line: string, begins: boolean): boolean {
  if (line === '"') return true;
  const quotes = [...line.replaceAll('\\\\', '').matchAll(/(?=[^\\]")/g)].length;
  return begins ? quotes > 1 : quotes >= 1;
}

function mistakeIn(entry: string): Omit<DotenvMistake, 'line'> | undefined {
  const equals = entry.indexOf('=');
  const name = equals === -1 ? entry : trimmed(entry.slice(0, equals));
  if (equals !== -1 && name === '') return { name: '', because: 'nothing stands before the equals sign' };
  const bare = nameIn(name);
  // A line without an equals sign may be the rest of a value.
  if (!/^[\p{Ll}\p{Lu}\p{M}\p{N}_.]+$/u.test(bare)) return { name: '', because: 'it has no valid name of a variable' };
  const because = equals === -1 ? undefined : mistakeInValue(trimmed(entry.slice(equals + 1)));
  return because === undefined ? undefined : { name: bare, because };
}

/** PHP's trim. */
function trimmed(text: string): string {
  return text.replace(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g, '');
}

function nameIn(name: string): string {
  const bare =
    name.length > 8 && /^export[ \t\n\r\v\f]/.test(name) ? name.slice(6).replace(/^[ \t\n\r\0\v]+/, '') : name;
  return /^(["']).+\1$/s.test(bare) ? bare.slice(1, -1) : bare;
}

type Place = 'start' | 'unquoted' | 'single' | 'double' | 'escape' | 'after';
type Next = Place | 'comment' | 'text after a space or a quote' | 'an unknown escape sequence';

const next: Readonly<Record<Place, (token: string) => Next>> = {
  start: (token) => (token === "'" ? 'single' : token === '"' ? 'double' : token === '#' ? 'comment' : 'unquoted'),
  unquoted: (token) => (token === '#' ? 'comment' : isSpace(token) ? 'after' : 'unquoted'),
  single: (token) => (token === "'" ? 'after' : 'single'),
  double: (token) => (token === '"' ? 'after' : token === '\\' ? 'escape' : 'double'),
  escape: (token) => (/^["\\$fnrtv]/.test(token) ? 'double' : 'an unknown escape sequence'),
  after: (token) => (token === '#' ? 'comment' : isSpace(token) ? 'after' : 'text after a space or a quote'),
};

function mistakeInValue(value: string): string | undefined {
  let place: Place = 'start';
  for (const [token] of value.matchAll(/[\r\n]+|[ \t\v\f]+|[\\'"#$]|[^ \t\v\f\r\n\\'"#$]+/g)) {
    const to: Next = next[place](token);
    if (to === 'comment') return undefined;
    if (to === 'text after a space or a quote' || to === 'an unknown escape sequence') return to;
    place = to;
  }
  return place === 'single' || place === 'double' || place === 'escape' ? 'the closing quote is missing' : undefined;
}

function isSpace(token: string): boolean {
  return /^[ \t\n\r\v\f]+$/.test(token);
}
