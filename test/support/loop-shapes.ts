/**
 * One request of the course of events that every shape writes down: 60 of them, one a second, of which those from 20 to
 * 26 failed.
 */
export interface Request {
  readonly second: number;
  readonly at: Date;
  /** 0 without an answer. */
  readonly status: number;
  readonly seconds: number;
  readonly isDown: boolean;
}

export const firstDown = 20;
export const firstUp = 27;
export const startedAt = Date.UTC(2026, 10, 28, 9, 0, 0);

export const requests = (status: number): readonly Request[] =>
  Array.from({ length: 60 }, (_, second): Request => {
    const isDown = second >= firstDown && second < firstUp;
    const seconds = isDown ? 0.004 : 0.01 + ((second * 7919) % 20_000) / 1e6;
    return { second, at: new Date(startedAt + 1000 * second), status: isDown ? status : 200, seconds, isDown };
  });

/** How a script writes a request. Made after loops in public repositories, pages and answers. */
export type Shape = (request: Request) => string | readonly string[];

export const two = (value: number): string => String(value).padStart(2, '0');
export const clock = (at: Date): string => at.toISOString().slice(11, 19);
const day = (at: Date): string => at.toISOString().slice(0, 10);
export const iso = (at: Date): string => `${day(at)}T${clock(at)}+00:00`;
export const plain = (at: Date): string => `${day(at)} ${clock(at)}`;
export const word = (at: Date): string => `Sat Nov 28 ${clock(at)} UTC ${at.getUTCFullYear()}`;
const web = (at: Date): string => `28/Nov/2026:${clock(at)} +0000`;
export const code = ({ status }: Request): string => String(status).padStart(3, '0');
export const total = ({ seconds }: Request): string => seconds.toFixed(6);
export const millis = ({ seconds }: Request): string => String(Math.round(1000 * seconds));
const size = ({ isDown }: Request): number => (isDown ? 190 : 612);
const state = ({ isDown }: Request, up: string, down: string): string => (isDown ? down : up);

/** Those that have to be read as they are meant. */
export const readable: Readonly<Record<string, Shape>> = {
  'date, status and total on one line': (one) => `${iso(one.at)} ${code(one)} ${total(one)}`,
  'date by default': (one) => `${word(one.at)} ${code(one)} ${total(one)}`,
  'date on a line of its own': (one) => [word(one.at), `${code(one)} ${total(one)}`],
  'date, status and total on three lines': (one) => [iso(one.at), code(one), total(one)],
  'epoch seconds': (one) => `${one.at.getTime() / 1000} ${code(one)} ${total(one)}`,
  'epoch milliseconds': (one) => `${one.at.getTime()} ${code(one)} ${total(one)}`,
  'epoch nanoseconds': (one) => `${one.at.getTime()}000000 ${code(one)} ${total(one)}`,
  'compact date': (one) =>
    `${day(one.at).replaceAll('-', '')}-${clock(one.at).replaceAll(':', '')} ${code(one)} ${total(one)}`,
  'date with an underscore': (one) => `${plain(one.at).replace(' ', '_')} ${code(one)} ${total(one)}`,
  'date with slashes, the year first': (one) => `${plain(one.at).replaceAll('-', '/')} ${code(one)} ${total(one)}`,
  'date with slashes, the day first': (one) => `28/11/2026 ${clock(one.at)} ${code(one)} ${total(one)}`,
  'date with slashes, the month first, AM': (one) =>
    `11/28/2026, 9:${clock(one.at).slice(3)} AM ${code(one)} ${total(one)}`,
  'date with points': (one) => `28.11.2026 ${clock(one.at)} ${code(one)} ${total(one)}`,
  'date of a web server': (one) => `[${web(one.at)}] ${code(one)} ${total(one)}`,
  'date in brackets': (one) => `[${plain(one.at)}] ${code(one)} ${total(one)}`,
  'date at the end': (one) => `${code(one)} ${total(one)} ${iso(one.at)}`,
  'date in the middle': (one) => `${code(one)} at ${iso(one.at)} took ${total(one)}`,
  'time of a logger, with milliseconds behind a comma': (one) =>
    `${plain(one.at)},${two(one.second)}7 INFO ${code(one)} ${total(one)}`,
  'total before the status': (one) => `${iso(one.at)} ${total(one)} ${code(one)}`,
  'labels with colons': (one) => `${iso(one.at)} HTTP: ${code(one)} Time: ${total(one)}`,
  'labels with equals signs': (one) => `${iso(one.at)} status=${code(one)} time=${total(one)}s`,
  'labels of curl': (one) => `${word(one.at)} - https://example.com - http_code:${code(one)} time_total:${total(one)}`,
  'words as labels': (one) => `${iso(one.at)} HTTP ${code(one)} in ${total(one)} s`,
  'a sentence': (one) => `${plain(one.at)} https://example.com/ Response: ${code(one)}`,
  'the status alone': (one) => `${iso(one.at)} ${code(one)}`,
  'the status in brackets': (one) => `${iso(one.at)} [${code(one)}] (${total(one)})`,
  'status and total joined by a colon': (one) => `${iso(one.at)} ${code(one)}:${total(one)}`,
  'status and total joined by a slash': (one) => `${iso(one.at)} ${code(one)}/${total(one)}`,
  'a decimal comma': (one) => `${iso(one.at)} ${code(one)} ${total(one).replace('.', ',')}`,
  CSV: (one) => `${plain(one.at)},${code(one)},${total(one)}`,
  'CSV with quotation marks': (one) => `"${plain(one.at)}","${code(one)}","${total(one)}"`,
  'CSV with semicolons': (one) => `${plain(one.at)};${code(one)};${total(one)}`,
  'CSV with date and time apart': (one) => `${day(one.at)},${clock(one.at)},${code(one)},${total(one)}`,
  'CSV of the status alone': (one) => `${plain(one.at)},${code(one)}`,
  tabs: (one) => `${iso(one.at)}\t${code(one)}\t${total(one)}`,
  bars: (one) => `${plain(one.at)} | ${code(one)} | ${total(one)}`,
  JSON: (one) => JSON.stringify({ ts: iso(one.at), status: one.status, time_total: one.seconds }),
  'JSON behind a date': (one) =>
    `${iso(one.at)} ${JSON.stringify({ http_code: one.status, time_total: Number(total(one)), size_download: size(one) })}`,
  milliseconds: (one) => `${iso(one.at)} ${code(one)} ${millis(one)}ms`,
  'milliseconds with a blank': (one) => `${iso(one.at)} ${code(one)} ${millis(one)} ms`,
  'milliseconds in a label': (one) => `${iso(one.at)} code=${code(one)} time_ms=${millis(one)}`,
  microseconds: (one) => `${iso(one.at)} ${code(one)} ${Math.round(1e6 * one.seconds)}us`,
  'a name with a number': (one) => `${iso(one.at)} web-200 ${code(one)} ${total(one)}`,
  'a name and a colon': (one) => `${iso(one.at)} web-1: ${code(one)} ${total(one)}`,
  'an address and a port': (one) => `${iso(one.at)} 203.0.113.200:443 ${code(one)} ${total(one)}`,
  'a URL': (one) => `${iso(one.at)} https://example.com/status/200 ${code(one)} ${total(one)}`,
  'the size, no status': (one) => `${iso(one.at)} ${code(one)} ${size(one)} ${total(one)}`,
  'total and speed': (one) => `${iso(one.at)} ${code(one)} ${total(one)} ${(size(one) / one.seconds).toFixed(3)}`,
  'phases of curl and the total': (one) =>
    `${iso(one.at)} ${code(one)} 0.001204 0.001911 0.000000 ${(one.seconds * 0.9).toFixed(6)} ${total(one)}`,
  'phases of curl behind the total': (one) =>
    `${iso(one.at)} ${code(one)} ${total(one)} 0.001204 ${(one.seconds * 0.8).toFixed(6)}`,
  'a number that counts': (one) => `${one.second + 100} ${iso(one.at)} ${code(one)}`,
  'a counter and an exit code': (one) => `${iso(one.at)} n=${one.second} exit=${one.isDown ? 7 : 0} code=${code(one)}`,
  'the reason phrase': (one) => `${iso(one.at)} HTTP/1.1 ${code(one)} ${state(one, 'OK', 'Service Unavailable')}`,
  'up and down': (one) => `${iso(one.at)} ${state(one, 'UP', 'DOWN')}`,
  'up and down with the status': (one) => `${plain(one.at)} ${state(one, 'UP', 'DOWN')} (${code(one)})`,
  'check marks': (one) => `${iso(one.at)} ${state(one, '✅', '❌')} ${code(one)}`,
  'OK and FAIL before the URL': (one) => `${iso(one.at)} ${state(one, 'OK', 'FAIL')} https://example.com`,
  'succeeded and failed': (one) =>
    one.isDown
      ? `Request failed with HTTP code ${code(one)} at ${word(one.at)}`
      : `Request succeeded at ${word(one.at)}`,
  'failures are a message of curl': (one) =>
    one.isDown
      ? `${iso(one.at)} curl: (7) Failed to connect to example.com port 80 after 0 ms: Couldn't connect to server`
      : `${iso(one.at)} 200 ${total(one)}`,
  'failures are a message of curl without a date': (one) =>
    one.isDown
      ? 'curl: (28) Operation timed out after 900 milliseconds with 0 bytes received'
      : `${iso(one.at)} 200 ${total(one)}`,
  'a message of curl before the result': (one) => [
    ...(one.isDown ? ['curl: (7) Failed to connect to example.com port 80'] : []),
    `${iso(one.at)} ${code(one)} ${total(one)}`,
  ],
  'failures are 000 without a time': (one) => `${iso(one.at)} ${one.isDown ? '000' : `200 ${total(one)}`}`,
  'failures are a word': (one) => `${iso(one.at)} ${one.isDown ? 'timeout' : `200 ${total(one)}`}`,
  'failures are a sentence': (one) =>
    `${iso(one.at)} ${one.isDown ? 'ERROR: connection refused' : `200 ${total(one)}`}`,
  'failures are capitals and a status': (one) =>
    `${iso(one.at)} ${one.isDown ? `ERROR ${code(one)}` : `200 ${total(one)}`}`,
  'a level of a logger': (one) =>
    `${plain(one.at)} ${one.isDown ? 'ERROR' : 'INFO'} status=${code(one)} latency=${millis(one)}ms`,
};

/** Those that do not show what their columns are, or are no loop's. */
export const refused: Readonly<Record<string, Shape>> = {
  'the time of day alone': (one) => `${clock(one.at)} - ${code(one)} ${total(one)}`,
  'a year of two digits': (one) => `${code(one)} - https://example.com - 11/28/26 ${clock(one.at)}`,
  'syslog, without a year': (one) => `Nov 28 ${clock(one.at)} bastion probe: ${code(one)} ${total(one)}`,
  'no date': (one) => `ms=${millis(one)}; count=${one.second}; result=${code(one)}`,
  'day or month': (one) => `03/04/2026 ${clock(one.at)} ${code(one)} ${total(one)}`,
  'two columns that may be the status': (one) => `${iso(one.at)} 200 ${code(one)} ${total(one)}`,
  'two statuses': (one) => `${iso(one.at)} ${code(one)} ${code({ ...one, status: one.second > 40 ? 502 : 200 })}`,
  'a whole number that may be milliseconds': (one) => `${iso(one.at)} ${code(one)} ${millis(one)}`,
  'two times, neither always longer': (one) =>
    `${iso(one.at)} ${code(one)} ${one.seconds.toFixed(3)} ${((one.second % 9) / 100).toFixed(2)}`,
  'no status': (one) => `${iso(one.at)} ${total(one)}`,
  'a time zone that means several': (one) => `${plain(one.at)} IST ${code(one)} ${total(one)}`,
  ping: (one) =>
    `[${one.at.getTime() / 1000}.213] 64 bytes from 203.0.113.7: icmp_seq=${one.second + 180} ttl=57 time=${millis(one)} ms`,
  'ping of macOS': (one) =>
    one.isDown
      ? `${plain(one.at)} Request timeout for icmp_seq ${one.second}`
      : `${plain(one.at)} 64 bytes from 1.1.1.1: icmp_seq=${one.second} ttl=57 time=9.1 ms`,
  httping: (one) => `${plain(one.at)} connected to 203.0.113.7:80 (236 bytes), seq=${one.second} time= 16.48 ms`,
  fping: (one) => `[${one.at.getTime() / 1000}.5] example.com : [${one.second}], 64 bytes, 12.1 ms (12.0 avg, 0% loss)`,
  'the blackbox exporter': (one) =>
    `ts=${iso(one.at)} caller=main.go:181 module=http_2xx target=http://a/ level=info msg="Probe succeeded" duration_seconds=0.2`,
  'an access log': (one) => `10.0.0.7 - - [${web(one.at)}] "GET / HTTP/1.1" ${code(one)} 612 "-" "curl/8.5"`,
  'curl by -v': (one) => [
    `* Connected to example.com (203.0.113.7) port 80`,
    '> GET / HTTP/1.1',
    `< HTTP/1.1 ${code(one)} OK`,
  ],
};
