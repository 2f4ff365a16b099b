import type { Files } from '../../host/host.ts';
import { parseHeader } from '../downtime-log/downtime-log.ts';
import { type ByteRange, bytesOf } from '../downtime-log/log-pieces.ts';
import { patienceSeconds } from '../downtime-log/reorder-buffer.ts';
import { lineAfter } from './read-plain-log.ts';

/** Epoch milliseconds, `from` included, `to` not. */
export interface TimeWindow {
  readonly from?: number;
  readonly to?: number;
}

export interface WindowBytes {
  /** The lines that say by which settings the range was written, in their order. */
  readonly before: readonly string[];
  readonly range: ByteRange;
}

/** A smaller file is read whole. */
const leastBytes = 16 * 1024 * 1024;
/** The search ends when so little is left. */
const nearBytes = 1024 * 1024;
/** So much is looked at behind a place for the time of a line. */
const lookBytes = 64 * 1024;
const headerBegin = '# holdfast downtime-log ';

/**
 * The part of a large log in which the samples of the window are, found by bisection: the lines are nearly in the order
 * of their times. The header that counts there is looked for backwards; `monitor` repeats it every hour.
 */
export async function windowBytes(files: Files, range: ByteRange, { from, to }: TimeWindow): Promise<WindowBytes> {
  const whole = { before: [], range };
  if ((from === undefined && to === undefined) || range.toByte - range.fromByte < leastBytes) return whole;
  const first = await firstLine(files, range);
  const header = parseHeader(first);
  if (header === undefined || 'version' in header) return whole;
  const marginMs = 2 * 1000 * (patienceSeconds(header.timeoutSeconds) + header.intervalSeconds);
  const search = (at: number) => placeOf(files, range, at);
  const fromByte = from === undefined ? range.fromByte : (await search(from - marginMs)).before;
  const toByte = to === undefined ? range.toByte : (await search(to + marginMs)).after;
  if (fromByte === range.fromByte) return { before: [], range: { ...range, toByte } };
  const last = (await lastHeader(files, { ...range, toByte: fromByte })) ?? first;
  const before = last === first ? [first] : [first, last];
  return { before, range: { ...range, fromByte, toByte } };
}

/** Places, between two lines, before and after the first line that is not older. */
async function placeOf(
  files: Files,
  range: ByteRange,
  at: number,
): Promise<{ readonly before: number; readonly after: number }> {
  let [before, after] = [range.fromByte, range.toByte];
  while (after - before > nearBytes) {
    const middle = before + Math.floor((after - before) / 2);
    const time = await timeAt(files, { ...range, fromByte: middle, toByte: after });
    if (time === undefined || time >= at) after = middle;
    else before = middle;
  }
  const start = before === range.fromByte ? before : await lineAfter(files, { ...range, fromByte: before });
  return { before: start, after: await lineAfter(files, { ...range, fromByte: after }) };
}

/** The time of the first sample behind a place; undefined if there is none near. */
async function timeAt(files: Files, range: ByteRange): Promise<number | undefined> {
  for await (const chunk of bytesOf(files, { ...range, toByte: Math.min(range.toByte, range.fromByte + lookBytes) })) {
    const lines = Buffer.from(chunk).toString('latin1').split('\n').slice(1, -1);
    const times = lines.map((line) => Date.parse(line.slice(0, 24)));
    return times.find((time) => !Number.isNaN(time));
  }
  return undefined;
}

async function firstLine(files: Files, range: ByteRange): Promise<string> {
  for await (const chunk of bytesOf(files, range)) return Buffer.from(chunk.subarray(0, chunk.indexOf(10))).toString();
  return '';
}

/** The last header of the range, which begins and ends between two lines. */
async function lastHeader(files: Files, range: ByteRange): Promise<string | undefined> {
  for (let to = range.toByte; to > range.fromByte; ) {
    const from = Math.max(range.fromByte, to - nearBytes);
    const found = await headerIn(files, { ...range, fromByte: from, toByte: to });
    if (found !== undefined) return found;
    // A header may lie across the border of two pieces.
    to = from === range.fromByte ? from : from + lookBytes;
  }
  return undefined;
}

async function headerIn(files: Files, range: ByteRange): Promise<string | undefined> {
  const text = Buffer.concat(await Array.fromAsync(bytesOf(files, range), (chunk) => Buffer.from(chunk)));
  const at = text.lastIndexOf(headerBegin);
  const end = at < 0 ? -1 : text.indexOf(10, at);
  const isWhole = end >= 0 && (at === 0 || text[at - 1] === 10);
  return isWhole ? text.toString('utf8', at, end) : undefined;
}
