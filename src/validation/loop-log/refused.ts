import { OperationError } from '../../host/errors.ts';
import type { Row } from './layout.ts';
import type { Refusal } from './learn-columns.ts';

export function refused(reason: string, next?: string): OperationError {
  return new OperationError({
    tried: 'Reading the log of a loop',
    on: 'its lines',
    reason,
    ...(next === undefined ? {} : { next }),
  });
}

/** Shows the columns of a row, and how they are named. */
export function refusedColumns({ reason, row, columns }: Refusal): OperationError {
  if (row === undefined) return refused(reason);
  const guess = columns?.includes('time') ? columns.join() : 'time,status,total';
  return refused(`${reason}; its columns are ${seen(row)}`, `name them, as in --columns ${guess} (_ skips one)`);
}

const longestShown = 40;

function seen({ fields, date, text }: Row): string {
  return fields
    .map((field, index) => {
      const shown = field.kind === 'time' ? timeIn(text, date.rest) : field.text;
      const short = shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
      return `${index + 1} ${short.replaceAll(/[^\P{C}]/gu, '?')}`;
    })
    .join(', ');
}

/** The text of the date, which ends where the rest begins. */
function timeIn(text: string, rest: string): string {
  const end = rest === '' ? -1 : text.indexOf(rest);
  return `(the time${end > 0 && end < longestShown ? ` ${text.slice(0, end).trim()}` : ''})`;
}
