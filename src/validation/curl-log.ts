import { dateText } from './date-text.ts';

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
 * another kind gives nothing.
 */
export function curlLog(): (line: string) => readonly CurlSample[] {
  let pending: CurlSample | undefined;
  return (line) => {
    const date = dateText(line);
    const result = resultOf(date === undefined ? line : ` ${date.rest}`);
    const unanswered = date !== undefined && pending !== undefined ? [pending] : [];
    if (date !== undefined) pending = { at: date.at, fine: date.fine };
    if (result === undefined || pending === undefined) return unanswered;
    const answered = { ...pending, result };
    pending = undefined;
    return [...unanswered, answered];
  };
}

function resultOf(text: string): CurlSample['result'] {
  const [, status, seconds, fraction = ''] = (text.startsWith('curl: (') ? null : RESULT.exec(text)) ?? [];
  if (status === undefined) return undefined;
  return { status: Number(status), millis: Math.round(Number(`${seconds}.${fraction}`) * 1000) };
}
