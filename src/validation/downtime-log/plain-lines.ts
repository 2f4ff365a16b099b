import { type MinuteReader, minuteAt, minuteReader } from './line-bytes.ts';
import { isPlainKept, keptEndBytes, millisOfMinute, plainLineBytes, plainMillis, statusWord } from './plain-line.ts';
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
 * Takes plain lines, and those of kept connections between them, from `begin` on for as long as they only lengthen a
 * run that has begun, and returns where it stopped. The bytes begin at that position of the file. `analyze` does this
 * most of all, so whatever the loop needs is in a variable of its own.
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
  while (count > 0 && count < starts.length && start <= last) {
    const ofMinute = millisOfMinute(view, start);
    const at = minuteAt(minute, bytes, view, start) + ofMinute;
    if (!isInOrder(ofMinute, at, newestAt)) break;
    const took = plainMillis(view, start, status);
    if (isGood(took, longestMs) && at - sampleAt <= gapMs) {
      starts[count] = at;
      millis[count] = took;
      places[count++] = position + start;
      sampleAt = at;
      start += plainLineBytes;
    } else if (isPlainKept(view, start, status)) start += keptLineBytes;
    else break;
    newestAt = at;
  }
  collecting.newestAt = newestAt;
  collecting.sampleAt = sampleAt;
  collecting.count = count;
  return start;
}

/** False where one of the instants is NaN. */
const isInOrder = (ofMinute: number, at: number, newestAt: number): boolean => ofMinute >= 0 && at >= newestAt;
const isGood = (took: number, longestMs: number): boolean => took >= 0 && took <= longestMs;
const keptLineBytes = plainLineBytes - 1 + keptEndBytes;
