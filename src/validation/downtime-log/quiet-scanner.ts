import { usualOf } from '../../settings/expected-status.ts';
import {
  byte,
  instantScanner,
  pointAfter,
  secondsOffset,
  statusOffset,
  threeDigits,
  viewOf,
  wholeSeconds,
} from './line-bytes.ts';
import { endsKept, keptEndBytes } from './plain-line.ts';
import { plainLines, takePlainLines } from './plain-lines.ts';
import { type QuietCollector, quietCollector } from './quiet-collector.ts';
import type { QuietRun, QuietSettings } from './quiet-run.ts';

/**
 * Finds the quiet runs in a part of a file, whose bytes begin at that position; a line that begins before the part or
 * ends behind it is in none.
 */
export type FindQuietRuns = (part: Uint8Array, position: number) => readonly QuietRun[];

/**
 * Finds the quiet runs among the lines of one target. It looks at the bytes alone, so it needs less than a fifth of the
 * time of reading each sample.
 */
export function quietScanner(settings: QuietSettings): FindQuietRuns {
  let runs: QuietRun[] = [];
  const collector = quietCollector(settings, (run) => runs.push(run));
  const takeLine = lineTaker(usualOf(settings.expect), collector);
  const plain = plainLines(usualOf(settings.expect), collector.collecting);
  return (part, position) => {
    runs = [];
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    const view = viewOf(bytes);
    const end = bytes.lastIndexOf(byte.lineEnd) + 1;
    for (let start = bytes.indexOf(byte.lineEnd) + 1; start < end; ) {
      start = takePlainLines(plain, bytes, view, start, position);
      if (start < end) start = takeLine(bytes, view, start, position);
    }
    collector.interrupt();
    return runs;
  };
}

/**
 * Takes the line that begins at `start` and returns where the next one begins. The bytes begin at that position of the
 * file.
 */
function lineTaker(
  expect: number,
  { sample, kept, interrupt, collecting: { longestMs } }: QuietCollector,
): (bytes: Buffer, view: DataView, start: number, position: number) => number {
  const instant = instantScanner();
  return (bytes, view, start, position) => {
    const at = instant(bytes, view, start);
    const status = threeDigits(bytes, start + statusOffset);
    const point = pointAfter(bytes, start + secondsOffset);
    const millis = millisOf(bytes, start, point);
    const next = point + 4;
    if (bytes[next] === byte.lineEnd && at >= 0 && status === expect && millis <= longestMs) {
      sample(at, millis, position + start);
      return next + 1;
    }
    if (at + status + millis >= 0 && endsKept(view, next)) {
      kept(at);
      return next + keptEndBytes;
    }
    interrupt();
    return bytes.indexOf(byte.lineEnd, start) + 1;
  };
}

/** NaN unless this is a line with a status, a space and seconds. */
function millisOf(bytes: Buffer, start: number, point: number): number {
  if (bytes[start + statusOffset - 1] !== byte.space || bytes[start + secondsOffset - 1] !== byte.space)
    return Number.NaN;
  return wholeSeconds(bytes, start + secondsOffset, point) * 1000 + threeDigits(bytes, point + 1);
}
