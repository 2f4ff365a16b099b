import { stripVTControlCharacters } from 'node:util';
import { wrap } from '../../report/table.ts';
import { textWidth } from '../../report/text-width.ts';

/** As wide as what people read is made, on a wider screen too. */
const COLUMNS = 80;

/**
 * The text behind its head, on lines of at most 80 columns where no word is longer: those after the first begin below the first one's
 * text, or at `indent`. What is to be copied goes around this.
 */
export function hangingIndent(head: string, text: string, indent = widthOf(head)): string {
  const [first = '', ...rest] = wrap(text, COLUMNS - Math.max(widthOf(head), indent));
  return [`${head}${first}`, ...rest.map((line) => `${' '.repeat(indent)}${line}`)].join('\n');
}

const widthOf = (head: string): number => textWidth(stripVTControlCharacters(head));
