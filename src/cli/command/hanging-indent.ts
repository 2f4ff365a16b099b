import { textWidth } from '../../report/text-width.ts';
import { wrap, wrapAll } from '../../report/wrap.ts';
import type { Page } from './page.ts';

/**
 * The text after its head, wrapped to the page. The lines after the first are indented to where the text begins, or by
 * `indent`. Do not use it for commands that people copy.
 */
export function hangingIndent(
  { columns, isBroken }: Pick<Page, 'columns' | 'isBroken'>,
  head: string,
  text: string,
  indent = textWidth(head),
): string {
  const wrapped = isBroken ? wrapAll : wrap;
  const longer = textWidth(head) - indent;
  if (longer < 2) return indented(head, wrapped(text, columns - Math.max(textWidth(head), indent)), indent);
  // The head stands in the first line as a word of its own, so that the lines after it may be longer.
  const [first = '', ...rest] = wrapped(`${'x'.repeat(longer - 1)} ${text}`, columns - indent);
  return indented(head, [first.slice(longer), ...rest], indent);
}

function indented(head: string, [first = '', ...rest]: readonly string[], indent: number): string {
  return [`${head}${first}`, ...rest.map((line) => `${' '.repeat(indent)}${line}`)].join('\n');
}

/**
 * The same for lists and facts that are also read by programs: on a terminal as wide as it is, elsewhere one whole
 * line.
 */
export function fitted(
  out: { readonly isTTY: boolean; readonly columns: number },
  head: string,
  text: string,
  indent?: number,
): string {
  return out.isTTY ? hangingIndent({ columns: out.columns, isBroken: true }, head, text, indent) : `${head}${text}`;
}
