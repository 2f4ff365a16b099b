import { OperationError } from '../../host/errors.ts';
import type { Column } from './columns.ts';
import { type DateForm, firstIsDay } from './date-text.ts';
import { type Layout, namedLayout, type Row } from './layout.ts';
import { learnColumns } from './learn-columns.ts';
import { columnsOf, type LoopReader, loopReader } from './loop-reader.ts';
import type { LoopListener } from './loop-sample.ts';
import { otherProgram } from './other-programs.ts';
import { refused, refusedColumns } from './refused.ts';
import { loopRows } from './rows.ts';
import { isStatus } from './statuses.ts';

export interface LoopLog {
  readonly line: (line: string) => void;
  readonly end: () => void;
  /** Says what the columns hold, if they are not learnt yet. */
  readonly name: (columns: readonly Column[]) => void;
  /** Empty before they are learnt. */
  readonly columns: () => readonly Column[];
  /** Removes and returns the lines that were not read yet; call it when the log turns out not to be a loop's. */
  readonly takeBack: () => readonly string[];
}

/** From how many lines the columns are learnt. What comes later must not contradict. */
export interface LearnFrom {
  /** As soon as these are enough. */
  readonly least: number;
  /** With so many they have to be. */
  readonly most: number;
}
/** More than five hours of one line a second. */
const ofFile: LearnFrom = { least: 20_000, most: 20_000 };
/** Of a log that is read while it is written: from the first line, and again when a rhythm of its own shows. */
export const whileWritten: LearnFrom = { least: 1, most: 60 };

/**
 * Reads the log of a loop of any script: a time, and a status with the time of the answer or a word that says whether
 * it failed, in any order. What the columns hold is learnt from the first lines, unless it is given. Columns that
 * cannot be told apart, the log of another program, and a time whose zone or day is ambiguous are an `OperationError`.
 */
export function loopLog(listener: LoopListener, named?: readonly Column[], { least, most } = ofFile): LoopLog {
  let given = named;
  /** Until the columns are certain. */
  let held: string[] | undefined = [];
  let reader: LoopReader | undefined;
  let layouts: readonly Layout[] = [];
  const begin = (lines: readonly string[]) => {
    const form = learntForm(lines);
    layouts = layoutsOf(lines, form, given);
    reader = loopReader(form, layouts, listener);
    lines.forEach(reader.line);
  };
  const beginIfPossible = (lines: readonly string[]) => {
    try {
      begin(lines);
    } catch (error) {
      // More lines may show it.
      if (!(error instanceof OperationError) || reader !== undefined) throw error;
    }
  };
  const hold = (lines: string[], line: string) => {
    lines.push(line);
    if (lines.length >= most) {
      held = undefined;
      if (reader === undefined) begin(lines);
      else checkAgain(layouts, lines, given);
    } else if (reader === undefined && lines.length >= least) beginIfPossible(lines);
  };
  return {
    line: (line) => {
      reader?.line(line);
      if (held !== undefined) hold(held, line);
    },
    end: () => {
      if (reader === undefined && held !== undefined && held.length > 0) begin(held);
      reader?.end();
    },
    name: (columns) => {
      given ??= columns;
    },
    columns: () => (reader === undefined ? [] : columnsOf(layouts)),
    takeBack: () => {
      const lines = reader === undefined ? (held ?? []) : [];
      held = undefined;
      return lines;
    },
  };
}

/** What was learnt from the first lines has to be what more of them show. */
function checkAgain(layouts: readonly Layout[], lines: readonly string[], given: readonly Column[] | undefined): void {
  const more = columnsOf(layoutsOf(lines, learntForm(lines), given));
  if (more.includes('target') && given === undefined)
    throw refused('it has the lines of several loops', 'follow a log that one loop writes alone');
  if (more.join() !== columnsOf(layouts).join())
    throw refused(`its columns first seemed to be ${columnsOf(layouts).join()}, and now ${more.join()}`);
}

/** Whether most lines are earlier than the line before. */
const goesBack = (rows: readonly Row[]): boolean =>
  rows.filter(({ date }, index) => date.at < (rows[index - 1]?.date.at ?? date.at)).length > rows.length / 2;

const noTime = 'it is not a downtime log: no line of it has a time with a day and seconds';

/** What single dates do not show. */
function learntForm(lines: readonly string[]): DateForm {
  const orders = new Set(lines.map(firstIsDay));
  orders.delete(undefined);
  if (orders.size > 1) throw refused('its dates have the day first on some lines and the month first on others');
  const fractions = lines.flatMap((line) => /\d:\d\d:\d\d,(\d+)(?=[,;\s]|$)/.exec(line)?.[1] ?? []);
  const isStatusColumn = (text: string) => isStatus({ kind: 'number', text, value: Number(text), decimals: 0 });
  const commaSeparates = fractions.length > 0 && fractions.every(isStatusColumn);
  const [isDayFirst] = orders;
  if (isDayFirst === undefined && lines.some((line) => /(^|[^\d/-])\d{1,2}[/-]\d{1,2}[/-]\d{4},?[ _T-]\d/.test(line)))
    throw refused('the day or the month may be first in its dates', 'write the times with date -Is');
  return { ...(isDayFirst === undefined ? {} : { dayFirst: isDayFirst }), commaSeparates };
}

function layoutsOf(lines: readonly string[], form: DateForm, given: readonly Column[] | undefined): readonly Layout[] {
  if (given !== undefined) return [namedLayout(given)];
  const program = otherProgram(lines);
  if (program !== undefined)
    throw refused(
      `it is a log of ${program.name}: ${program.because}`,
      "use the log of holdfast monitor, or of a loop of curl with -w '%{http_code} %{time_total}'",
    );
  const rows: Row[] = [];
  const none = () => {};
  const reader = loopRows(form, { row: (row) => rows.push(row), undatedFailure: none, unread: none });
  lines.forEach(reader.line);
  reader.end();
  if (rows.length === 0) throw refused(noTime, 'write each line with date -Is');
  if (goesBack(rows)) throw refused('its newest line is the first', 'turn its lines round, as with tac');
  const learnt = learnColumns(rows);
  if ('refusal' in learnt) throw refusedColumns(learnt.refusal);
  return learnt.layouts;
}
