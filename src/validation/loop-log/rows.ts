import type { DatedText, DateForm } from './date-text.ts';
import { dateText } from './date-text.ts';
import type { Row } from './layout.ts';
import { type Field, lineFields } from './line-fields.ts';
import { isCurlError, isCurlMeter, saysFailure, stateOf } from './words.ts';

/** Receives what the lines of a loop are put together to. */
export interface RowListener {
  readonly row: (row: Row) => void;
  /** A line that says in words that a request failed, and not when. */
  readonly undatedFailure: (text: string) => void;
  readonly unread: (line: string) => void;
}

export interface Rows {
  readonly line: (line: string) => void;
  /** Ends the row that has begun, if any. */
  readonly end: () => void;
}

/** A row of more lines than this is text between the results. */
const mostLines = 16;

interface Begun extends Row {
  readonly lines: number;
}

/**
 * Puts the lines of one request together: the date and the result may stand on one line or on several, or the next date
 * right behind a result. `isWhole` says whether a row needs no further line.
 */
export function loopRows(form: DateForm, listener: RowListener, isWhole: (row: Row) => boolean = () => false): Rows {
  let begun: Begun | undefined;
  let last: DatedText | undefined;
  const end = () => {
    const row = begun;
    begun = undefined;
    if (row !== undefined) listener.row(row);
  };
  const begin = (text: string, date: DatedText, fields: readonly Field[]) => {
    end();
    last = date;
    begun = { date, fields, text, lines: isResult(fields) ? mostLines : 1 };
    if (begun.lines === mostLines) end();
  };
  const goOn = (text: string, fields: readonly Field[]) => {
    if (begun === undefined || fields.length === 0) return listener.unread(text);
    begun = { ...begun, fields: [...begun.fields, ...fields], text: `${begun.text} ${text}`, lines: begun.lines + 1 };
    if (begun.lines >= mostLines || isWhole(begun)) end();
  };
  const piece = (text: string) => {
    const { date, fields } = lineFields(text, form);
    if (date !== undefined) return begin(text, date, fields);
    if (isCurlMeter(text)) return;
    // Its result may follow.
    if (isCurlError(text) || (saysFailure(text) && begun === undefined)) return fail(text);
    goOn(text, fields);
  };
  const fail = (text: string) => {
    if (begun === undefined) return listener.undatedFailure(text);
    begun = { ...begun, message: text };
  };
  return {
    line: (line) => {
      for (let rest: string | undefined = uncoloured(line); rest !== undefined; ) {
        const [text, next] = unglued(rest, last, form);
        if (text.trim() !== '') piece(text);
        rest = next;
      }
    },
    end,
  };
}

/** Colours of a terminal, the mark of UTF-8 at a file's beginning. */
const uncoloured = (line: string): string =>
  line.includes('\x1b') || line.charCodeAt(0) === 0xfeff
    ? line.replaceAll(/\p{Cc}\[[\d;]*[A-Za-z]|^\p{Cf}/gu, '')
    : line;

/** A dated line that needs nothing behind it. */
const isResult = (fields: readonly Field[]): boolean =>
  fields.some(({ kind, text }) => kind === 'number' || (kind === 'word' && stateOf(text) !== undefined));

/** Two dates of a loop are never so far apart, but ten decimals of a time that are read as seconds since 1970 are. */
const dayMs = 86_400_000;

/** What the longer pattern needs. */
const gluedPattern = /\d[.,]\d{6}[A-Z\d[]/;

/**
 * Splits a line behind the six decimals that curl gives a time: without a `\n` at the end of `-w` the next date begins
 * right there.
 */
function unglued(line: string, before: DatedText | undefined, form: DateForm): readonly [string, string?] {
  if (!gluedPattern.test(line)) return [line];
  // The pattern stops at the first match, because a whole log may be on one line.
  const [result] = /^.*?[^\d.]\d{1,7}[.,]\d{6}(?=[A-Z\d[])/.exec(line) ?? [];
  if (result === undefined) return [line];
  const next = line.slice(result.length);
  const date = dateText(next, form);
  if (date === undefined) return [line];
  const known = before ?? dateText(line, form);
  const isDecimals = /^\d{10}(?!\d)/.test(next) && Math.abs(date.at - (known?.at ?? 0)) > dayMs;
  return isDecimals ? [line] : [result, next];
}
