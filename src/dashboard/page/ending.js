/** @import { Series } from '../series.ts' */
import { byId, html } from './elements.js';
import { lastUntil } from './moments.js';
import { redraw } from './redraw.js';

/**
 * The result table as it was at that instant; hidden before the run has ended.
 * @param {Series} series
 * @param {number} at
 */
export function showEnding({ endings }, at) {
  const ending = lastUntil(endings, at);
  byId('ending').hidden = ending === undefined;
  if (ending === undefined) return;
  const { columns, rows } = ending;
  redraw('result-table', JSON.stringify(rows), () => [
    html('thead', {}, html('tr', {}, ...columns.map((column) => html('th', { scope: 'col' }, column)))),
    html('tbody', {}, ...rows.map((row) => resultRow(row, columns))),
  ]);
}

/**
 * @param {readonly string[]} row
 * @param {readonly string[]} columns Each cell shows its column's name on a narrow screen.
 */
function resultRow([first = '', ...cells], [, ...columns]) {
  const figures = cells.map((cell, index) => html('td', { 'data-column': columns[index] ?? '' }, cell));
  return html('tr', {}, html('th', { scope: 'row' }, first), ...figures);
}
