import type { Criterion, ScenarioResult } from '../../validation/judge/run-result.ts';
import { type Markup, markup, type Piece } from '../markup.ts';

export type Word = Criterion['outcome'] | ScenarioResult['verdict'] | 'error' | 'warning';

/** A word with a sign, so that it does not need colour. */
export function badge(word: Word, label: string = word.replace('-', ' ')): Markup {
  return markup`<span class="badge ${word}">${sign(word)} ${label}</span>`;
}

export function sign(word: string): Markup {
  return markup`<span aria-hidden="true">${signs[word] ?? '–'}</span>`;
}

const signs: Readonly<Record<string, string>> = {
  met: '✓',
  pass: '✓',
  'not-met': '✗',
  fail: '✗',
  error: '✗',
  inconclusive: '?',
  warning: '?',
};

/** A table that scrolls if it is wider than the page. The first cell of a row is its heading. */
export function htmlTable(caption: string, columns: readonly string[], rows: readonly (readonly Piece[])[]): Markup {
  return markup`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table>
<thead><tr>${columns.map((column) => markup`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows.map(([first, ...rest]) => markup`<tr><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>
`;
}

/** Cuts a long table; all rows are in `report.json`. */
export function shortened<T>(
  rows: readonly T[],
  most: number,
): { readonly rows: readonly T[]; readonly more: Markup | undefined } {
  if (rows.length <= most) return { rows, more: undefined };
  return {
    rows: rows.slice(0, most),
    more: markup`<p class="quiet">And ${rows.length - most} more in report.json.</p>\n`,
  };
}
