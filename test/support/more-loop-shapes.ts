import { clock, code, iso, millis, plain, type Request, type Shape, total, two, word } from './loop-shapes.ts';

/** Seconds with three decimals. */
const three = ({ seconds }: Request): string => seconds.toFixed(3);
const thousandths = ({ seconds }: Request): number => Math.round(1000 * seconds);
/** By the answer, and not by its time. */
const said = ({ status }: Request, good: string, bad: string): string => (status === 200 ? good : bad);
const json = (value: object): string => JSON.stringify(value);

/** Logs that show the times of answers: each has to be read right or refused, whatever failed. */
export const timed: Readonly<Record<string, Shape>> = {
  'milliseconds with decimals': (one) => `${plain(one.at)},${code(one)},${(1000 * one.seconds).toFixed(4)}`,
  'milliseconds that may be seconds': (one) => `${plain(one.at)} ${code(one)} ${(100 * one.seconds).toFixed(2)}`,
  'the reason phrase in one word': (one) =>
    `11/28/2026 9:${clock(one.at).slice(3)} AM ${code(one)} ${said(one, 'OK', 'Unavailable')} ${(1000 * one.seconds).toFixed(4)}`,
  'a time as of Python': (one) => `${plain(one.at)} ${code(one)} 0:00:0${total(one)}`,
  'a time as of .NET': (one) => `${iso(one.at)} ${code(one)} 00:00:0${three(one)}`,
  'a time as of bash': (one) => `${iso(one.at)} ${code(one)} 0m${three(one)}s`,
  'a time as of ISO 8601': (one) => `${iso(one.at)} ${code(one)} PT${three(one)}S`,
  'a time as of Go': (one) =>
    `${plain(one.at).replaceAll('-', '/')} ${code(one)} ${one.seconds < 1 ? `${(1000 * one.seconds).toFixed(3)}ms` : `${total(one)}s`}`,
  'a clock as of Go': (one) =>
    `${plain(one.at)}.123456789 +0000 UTC m=+${one.second}.000123 ${code(one)} ${three(one)}s`,
  'a time without a zero': (one) => `${iso(one.at)} ${code(one)} ${total(one).replace(/^0/, '')}`,
  'about so long': (one) => `${iso(one.at)} ${code(one)} ~${millis(one)}ms`,
  'thousands with a comma': (one) => `${iso(one.at)} ${code(one)} ${thousandths(one).toLocaleString('en')} ms`,
  'thousands with a point': (one) => `${iso(one.at)} ${code(one)} ${thousandths(one).toLocaleString('de')}ms`,
  'seconds in one decimal': (one) => `${iso(one.at)} ${code(one)} ${one.seconds.toFixed(1)}`,
  'JSON of vegeta': (one) =>
    json({
      seq: one.second,
      code: one.status,
      timestamp: one.at.toISOString(),
      latency: Math.round(1e9 * one.seconds),
    }),
  'CSV of vegeta': (one) => `${one.at.getTime()}000000,${one.status},${Math.round(1e9 * one.seconds)},0,612,,d2Vs`,
  'JSON with a unit in capitals': (one) =>
    json({
      timestamp: one.at.toISOString(),
      statusCode: one.status,
      elapsedMs: Number((1000 * one.seconds).toFixed(2)),
    }),
  'JSON with null': (one) =>
    json({ ts: iso(one.at), status: one.status || null, seconds: one.status ? one.seconds : null }),
  'JSON of zap': (one) =>
    json({ level: 'info', ts: one.at.getTime() / 1000, status: one.status, duration: one.seconds }),
  'JSON over several lines': (one) => [
    '{',
    `"timestamp": "${iso(one.at)}",`,
    `"status": ${one.status},`,
    `"time_total": ${total(one)}`,
    '}',
  ],
  XML: (one) => `<probe ts="${iso(one.at)}" status="${code(one)}" time="${total(one)}"/>`,
  logfmt: (one) =>
    `time="${one.at.toISOString()}" level=${said(one, 'info', 'warning')} msg=probe status=${one.status} duration=${(1000 * one.seconds).toFixed(2)}ms`,
  'line protocol': (one) => `http,url=http://e.com status=${one.status}i,time=${total(one)} ${one.at.getTime()}000000`,
  'the version of HTTP': (one) => `${iso(one.at)} ${code(one)} 1.1 ${three(one)}`,
  'the version of HTTP before the time': (one) => `${iso(one.at)} HTTP/1.1 ${three(one)} HTTP ${code(one)}`,
  'the load of the machine': (one) =>
    `${iso(one.at)} ${code(one)} ${three(one)} load average: 2.${52 + (one.second % 7)}, 1.48, 1.44`,
  'the load of the machine without a label': (one) =>
    `${iso(one.at)} ${code(one)} ${three(one)} 0.${52 + (one.second % 7)}`,
  'speed in three decimals': (one) => `${iso(one.at)} ${code(one)} ${three(one)} ${(612 / one.seconds).toFixed(3)}`,
  'mean and maximum so far': (one) =>
    `${iso(one.at)} ${code(one)} ${three(one)} avg 0.013 max ${one.second < 20 ? '0.030' : '1.400'}`,
  'a limit of seconds': (one) => `${iso(one.at)} ${code(one)} ${three(one)}s (timeout 10s)`,
  'seconds since it changed': (one) =>
    `${iso(one.at)} ${said(one, 'UP', 'DOWN')} ${code(one)} ${total(one)} for ${one.second + 1}s`,
  'a share without a sign': (one) =>
    `${iso(one.at)} ${code(one)} ${three(one)} availability 99.${two(99 - one.second)}`,
  'a temperature': (one) => `${iso(one.at)} ${code(one)} ${three(one)} temp 45.${one.second % 10}`,
  'the first byte alone': (one) => `${iso(one.at)} ${code(one)} ttfb=${total(one)}`,
  'a phase of curl beside milliseconds': (one) =>
    `${iso(one.at)} ${code(one)} ${(one.seconds / 3).toFixed(6)} ${millis(one)} ms`,
  'the status that is expected, first': (one) =>
    `${iso(one.at)} status code 200 expected, got ${code(one)} in ${total(one)}`,
  'the status that is expected, behind': (one) => `${iso(one.at)} code=${code(one)} (expected 200) time=${total(one)}`,
  'colours of a terminal': (one) => `${iso(one.at)} \x1b[32m${code(one)}\x1b[0m ${total(one)}`,
  'a version that changes': (one) => `${iso(one.at)} ${code(one)} ${total(one)} ${one.second < 24 ? 'blue' : 'green'}`,
  'servers in turn': (one) => `${iso(one.at)} ${code(one)} ${total(one)} pod-${one.second % 4}`,
  'what a cache did': (one) => `${iso(one.at)} ${one.second % 10 === 0 ? 'MISS' : 'HIT'} ${code(one)} ${total(one)}`,
  'an end of the outage in words': (one) => [
    ...(one.second === 27 ? [`${plain(one.at)} Site is back up after 7 s of downtime`] : []),
    `${plain(one.at)} ${code(one)} ${total(one)}`,
  ],
  'a summary in words': (one) => [
    `${plain(one.at)} ${code(one)} ${total(one)}`,
    ...(one.second === 59 ? ['60 requests, 7 failed', 'the site was down for 7 s'] : []),
  ],
  'a plugin of Nagios': (one) =>
    one.status === 0
      ? `${iso(one.at)} CRITICAL - Socket timeout after 10 seconds`
      : `${iso(one.at)} HTTP ${said(one, 'OK', 'CRITICAL')}: HTTP/1.1 ${code(one)} Reason - 612 bytes in ${three(one)} second response time |time=${total(one)}s;;;0.000000 size=612B;;;0`,
  'a format file of curl': (one) => [
    word(one.at),
    ...[
      'time_namelookup:  0.001204',
      'time_connect:  0.001911',
      'time_appconnect:  0.000000',
      'time_redirect:  0.000000',
    ],
    ...[`time_starttransfer:  ${(0.9 * one.seconds).toFixed(6)}`, '----------'],
    ...[`time_total:  ${total(one)}`, `http_code:  ${code(one)}`],
  ],
  'the header of curl': (one) => [
    word(one.at),
    `HTTP/1.1 ${code(one)} Reason`,
    'Server: nginx/1.22.1',
    'Content-Length: 615',
    '',
  ],
  'a date with dashes, the day first': (one) => `28-11-2026 ${clock(one.at)} ${code(one)} ${total(one)}`,
  'a date with points, the year first': (one) => `2026.11.28 ${clock(one.at)} ${code(one)} ${total(one)}`,
  'a date in long words': (one) =>
    `Saturday, November 28, 2026 9:${clock(one.at).slice(3)} AM ${code(one)} ${total(one)}`,
  'a date in another language': (one) => `Sa 28. Nov ${clock(one.at)} UTC 2026 ${code(one)} ${total(one)}`,
  'an epoch behind a sign': (one) => `@${one.at.getTime() / 1000} ${code(one)} ${total(one)}`,
  'minutes alone': (one) => `${plain(one.at).slice(0, 16)} ${code(one)} ${total(one)}`,
  'two dates': (one) => `${iso(one.at)} ${plain(one.at)} ${code(one)} ${total(one)}`,
  'an empty status': (one) => `${iso(one.at)},${one.status || ''},${one.status ? total(one) : ''}`,
  'N/A': (one) => `${iso(one.at)},${one.status || 'N/A'},${one.status ? total(one) : 'N/A'}`,
  'a status below zero': (one) => `${iso(one.at)} ${one.status || '-1'} ${total(one)}`,
  'ERR instead of a status': (one) => `${iso(one.at)} ${one.status || 'ERR'} ${total(one)}`,
  'an error of Node': (one) =>
    `${iso(one.at)} ${one.status ? `${code(one)} ${total(one)}` : 'getaddrinfo ENOTFOUND e.com'}`,
  'an error of PowerShell': (one) =>
    `${iso(one.at)} ${one.status ? `${code(one)} ${total(one)}` : 'Unable to connect to the remote server'}`,
  'the page beside the result': (one) => [
    `${iso(one.at)} ${code(one)} ${total(one)}`,
    '<html>',
    `<h1>${code(one)}</h1>`,
    '</html>',
  ],
};

/** Logs that do not show the times of answers. */
export const untimed: Readonly<Record<string, Shape>> = {
  'a sentence with a sign': (one) =>
    `[${plain(one.at)}] ${said(one, '✅ Site is UP (HTTP 200)', one.status === 0 ? '🔴 ERROR: Unable to reach it (curl exit code: 7)' : `❌ Site returned HTTP ${code(one)}`)}`,
  'the hour and the minute': (one) => `${clock(one.at).slice(0, 5)} ${said(one, 'UP', 'DOWN')} (${code(one)})`,
  wget: (one) =>
    said(
      one,
      `${plain(one.at)} URL:http://e.com/ [612/612] -> "/dev/null" [1]`,
      `${plain(one.at)} ERROR ${code(one)}: Unavailable.`,
    ),
  'the first line of the answer': (one) => [word(one.at), ...(one.status === 0 ? [] : [`HTTP/2 ${code(one)} `])],
  '000 of curl and of echo': (one) => `${iso(one.at)} ${one.status === 0 ? '000000' : code(one)}`,
  'a status of curl --fail and 000 of echo': (one) => `${iso(one.at)} ${said(one, '200', `${code(one)}000`)}`,
  '000 of curl and of echo on two lines': (one) => [iso(one.at), code(one), ...(one.status === 0 ? ['000'] : [])],
  'another language': (one) => `${iso(one.at)} ${said(one, 'OK', 'FEHLER')}`,
  'a label in another language': (one) => `${plain(one.at)} - HTTP请求状态码: ${code(one)}`,
  'not up': (one) => `${iso(one.at)} site is ${said(one, 'up', 'not up')}`,
  'not reachable': (one) => `${word(one.at)}: https://e.com is ${said(one, 'reachable', 'NOT reachable')}`,
  'for so many seconds': (one) => `${iso(one.at)} ${said(one, 'UP', 'DOWN')} ${code(one)} for ${one.second + 1}s`,
  'one and zero': (one) => `${iso(one.at)} ${said(one, '1', '0')}`,
  'JSON of a truth': (one) => json({ ts: one.at.getTime() / 1000, success: one.status === 200 }),
  'an exit code': (one) => `${iso(one.at)} rc=${said(one, '0', '7')}`,
  nc: (one) =>
    `${iso(one.at)} ${said(one, 'Connection to e.com 80 port succeeded!', 'nc: connect to e.com failed: Connection refused')}`,
  'several servers on a line': (one) => `${iso(one.at)} a:200 b:${code(one)}`,
  'what it says of itself': (one) => `${iso(one.at)} ${code(one)} {"db":"${said(one, 'up', 'down')}"}`,
  'another word': (one) => `${iso(one.at)} ${said(one, '200', 'restarting')}`,
};
