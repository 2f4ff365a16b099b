import { stripVTControlCharacters } from 'node:util';
import type { Output } from '../../host/host.ts';
import { wrap } from '../../report/table.ts';
import { textWidth } from '../../report/text-width.ts';

/** Text for people is 80 columns wide, on a wider screen too. */
const columns = 80;

/**
 * The text after its head, wrapped at 80 columns; a longer word stays whole. The lines after the first are indented to where the text
 * begins, or by `indent`. Do not use it for commands that people copy.
 */
export function hangingIndent(head: string, text: string, indent = widthOf(head)): string {
  return wrapped(head, text, indent, columns);
}

/** The same for lists and facts that are also read by programs: on a terminal as wide as it is, elsewhere one whole line. */
export function fitted(out: Pick<Output, 'isTTY' | 'columns'>, head: string, text: string, indent?: number): string {
  return out.isTTY ? wrapped(head, text, indent ?? widthOf(head), out.columns) : `${head}${text}`;
}

function wrapped(head: string, text: string, indent: number, width: number): string {
  const [first = '', ...rest] = wrap(text, width - Math.max(widthOf(head), indent));
  return [`${head}${first}`, ...rest.map((line) => `${' '.repeat(indent)}${line}`)].join('\n');
}

const widthOf = (head: string): number => textWidth(stripVTControlCharacters(head));
