import { OperationError } from '../../host/errors.ts';
import { type DatedText, dateText } from './date-text.ts';

/** A line of a curl loop's log. */
export interface CurlSample {
  readonly at: number;
  /** Whether the time has a fraction of a second. */
  readonly fine: boolean;
  /** Absent when the loop wrote the date, and then nothing more of that request. */
  readonly result?: { readonly status: number; readonly millis: number };
}

/** A status between other things than digits, and a time with decimals somewhere behind it: `200 0.012`, `HTTP: 200 Time: 0.012s`. */
const RESULT = /(?:^|[^\d.])(000|[1-5]\d\d)(?=[^\d.:]|$).*?[^\d.](\d{1,7})[.,](\d{1,9})/;

/**
 * Reads what `date; curl -w '%{http_code} %{time_total}'` wrote, line by line: the date and the result on one line or on two. A line of
 * another kind gives nothing. A sample in a zone that is not known is an `OperationError`: its time would be a guess.
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

/** No loop's dates lie so far apart; ten decimals of a time that are taken for seconds since 1970 do. */
const DAY_MS = 86_400_000;

/** Without a `\n` at the end of `-w` the next date stands right behind the six decimals that curl gives a time. */
function unglued(line: string, before: DatedText | undefined): readonly [string, string?] {
  // What follows is not looked through: a whole log may stand on one line.
  const [result] = /^.*?[^\d.]\d{1,7}[.,]\d{6}(?=[A-Z\d])/.exec(line) ?? [];
  if (result === undefined) return [line];
  const next = line.slice(result.length);
  const date = dateText(next);
  if (date === undefined) return [line];
  const isDecimals = /^\d{10}(?!\d)/.test(next) && Math.abs(date.at - (before?.at ?? 0)) > DAY_MS;
  return isDecimals ? [line] : [result, next];
}

const sampleOf = ({ at, fine }: DatedText): CurlSample => ({ at, fine });

function certain(date: DatedText): DatedText {
  const { unknownZone: zone } = date;
  if (zone === undefined) return date;
  throw new OperationError({
    tried: 'Reading a date',
    on: "a curl loop's log",
    reason: `its times are in the zone ${zone}, which means several offsets or none that is known: put the offset in its place, as in s/${zone}/+0530/, or write the times with date -u`,
  });
}

function resultOf(text: string): CurlSample['result'] {
  const [, status, seconds, fraction = ''] = (text.startsWith('curl: (') ? null : RESULT.exec(text)) ?? [];
  if (status === undefined) return undefined;
  return { status: Number(status), millis: Math.round(Number(`${seconds}.${fraction}`) * 1000) };
}
