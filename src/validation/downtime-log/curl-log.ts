import { OperationError } from '../../host/errors.ts';
import { type DatedText, dateText } from './date-text.ts';

/** One request of a curl loop, as its log has it. */
export interface CurlSample {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether the time has a fraction of a second. */
  readonly fine: boolean;
  /** Absent if the loop wrote only the date of this request. */
  readonly result?: { readonly status: number; readonly millis: number };
}

/** A status that no digit or point touches, and somewhere behind it a time with decimals: `200 0.012`, `HTTP: 200 Time: 0.012s`. */
const resultPattern = /(?:^|[^\d.])(000|[1-5]\d\d)(?=[^\d.:]|$).*?[^\d.](\d{1,7})[.,](\d{1,9})/;

/**
 * Reads the output of `date; curl -w '%{http_code} %{time_total}'` line by line: the date and the result on one line or on two. Any other line
 * gives no sample. A date whose time zone is ambiguous or unknown is an `OperationError`, because its time would be a guess.
 */
export function curlLog(): (line: string) => readonly CurlSample[] {
  let pending: DatedText | undefined;
  let last: DatedText | undefined;
  const read = (line: string): readonly CurlSample[] => {
    const date = dateText(line);
    const result = resultOf(date === undefined ? line : ` ${date.rest}`);
    const unanswered = date !== undefined && pending !== undefined ? [sampleOf(pending)] : [];
    pending = date ?? pending;
    last = date ?? last;
    if (result === undefined || pending === undefined) return unanswered;
    const answered = { ...sampleOf(certain(pending)), result };
    pending = undefined;
    return [...unanswered, answered];
  };
  return (line) => {
    const samples: CurlSample[] = [];
    for (let rest: string | undefined = line; rest !== undefined; ) {
      const [piece, next] = unglued(rest, dateText(rest) ?? last);
      samples.push(...read(piece));
      rest = next;
    }
    return samples;
  };
}

/** Two dates of a loop are never so far apart, but ten decimals of a time that are read as seconds since 1970 are. */
const dayMs = 86_400_000;

/** Splits a line behind the six decimals that curl gives a time: without a `\n` at the end of `-w` the next date begins right there. */
function unglued(line: string, before: DatedText | undefined): readonly [string, string?] {
  // The pattern stops at the first match, because a whole log may be on one line.
  const [result] = /^.*?[^\d.]\d{1,7}[.,]\d{6}(?=[A-Z\d])/.exec(line) ?? [];
  if (result === undefined) return [line];
  const next = line.slice(result.length);
  const date = dateText(next);
  if (date === undefined) return [line];
  const isDecimals = /^\d{10}(?!\d)/.test(next) && Math.abs(date.at - (before?.at ?? 0)) > dayMs;
  return isDecimals ? [line] : [result, next];
}

const sampleOf = ({ at, fine }: DatedText): CurlSample => ({ at, fine });

function certain(date: DatedText): DatedText {
  const { unknownZone: zone } = date;
  if (zone === undefined) return date;
  throw new OperationError({
    tried: 'Reading a date',
    on: "a curl loop's log",
    reason: `the time zone ${zone} in it is ambiguous or unknown: replace it with its offset, as in s/${zone}/+0530/, or write the times with date -u`,
  });
}

function resultOf(text: string): CurlSample['result'] {
  const [, status, seconds, fraction = ''] = (text.startsWith('curl: (') ? null : resultPattern.exec(text)) ?? [];
  if (status === undefined) return undefined;
  return { status: Number(status), millis: Math.round(Number(`${seconds}.${fraction}`) * 1000) };
}
