import { type MinuteReader, minuteAt, minuteReader } from './line-bytes.ts';
import { millisOfMinute, plainLineBytes, plainMillis, statusWord } from './plain-line.ts';
import type { Collecting } from './quiet-collector.ts';

export interface PlainLines {
  readonly minute: MinuteReader;
  readonly status: number;
  readonly collecting: Collecting;
}

/** Plain lines with that status. */
export const plainLines = (expect: number, collecting: Collecting): PlainLines => ({
  minute: minuteReader(),
  status: statusWord(expect),
  collecting,
});

/**
 * Takes plain lines from `begin` on for as long as they only lengthen a run that has begun, and returns where it stopped. The bytes begin at that
 * position of the file. `analyze` does this most of all, so whatever the loop needs is in a variable of its own.
 */
export function takePlainLines(
  { minute, status, collecting }: PlainLines,
  bytes: Uint8Array,
  view: DataView,
  begin: number,
  position: number,
): number {
  const { gapMs, longestMs, starts, millis, bytes: places } = collecting;
  const last = bytes.length - plainLineBytes;
  let { newestAt, sampleAt, count } = collecting;
  let start = begin;
  for (; count > 0 && count < starts.length && start <= last; start += plainLineBytes) {
    const ofMinute = millisOfMinute(view, start);
    const took = plainMillis(view, start, status);
    const at = minuteAt(minute, bytes, view, start) + ofMinute;
    if (!isGood(ofMinute, took, longestMs) || !follows(at, newestAt, sampleAt, gapMs)) break;
    starts[count] = at;
    millis[count] = took;
    places[count] = position + start;
    count += 1;
    newestAt = sampleAt = at;
  }
  collecting.newestAt = newestAt;
  collecting.sampleAt = sampleAt;
  collecting.count = count;
  return start;
}

const isGood = (ofMinute: number, took: number, longestMs: number): boolean =>
  (ofMinute | took) >= 0 && took <= longestMs;

/** False where one of the instants is NaN. */
const follows = (at: number, newestAt: number, sampleAt: number, gapMs: number): boolean =>
  at >= newestAt && at - sampleAt <= gapMs;
