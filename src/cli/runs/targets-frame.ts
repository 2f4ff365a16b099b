import { boundedText } from '../../figures/figures.js';
import { printable } from '../../report/printable.ts';
import type { OutageKind } from '../../validation/downtime/outage-kind.ts';
import type { Paint } from '../command/text.ts';
import { elapsed } from '../terminal/elapsed.ts';
import { type LiveDowntime, liveDowntime } from '../terminal/live-downtime.ts';

/**
 * The targets of a monitor as lines of the live region: those that are down first, then those that were, the worst
 * first.
 */
export interface TargetsFrame {
  readonly take: (url: string, at: number, kind: OutageKind | undefined) => void;
  readonly lines: (nowAt: number, columns: number, paint: Paint) => readonly string[];
}

interface WatchedTarget {
  readonly url: string;
  lastGoodAt: number | undefined;
  /** While its last sample is bad: when the first of these began. */
  downSince: number | undefined;
  /** Absent before the first bad sample: most of many targets never have one. */
  downtime: LiveDowntime | undefined;
}

interface Probing {
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
}

/** More lines would leave no room for what is said above them. */
const mostLines = 8;

export function targetsFrame(urls: readonly string[], settings: Probing): TargetsFrame {
  const targets = new Map<string, WatchedTarget>(
    urls.map((url) => [url, { url, lastGoodAt: undefined, downSince: undefined, downtime: undefined }]),
  );
  return {
    take: (url, at, kind) => {
      const target = targets.get(url);
      if (target === undefined) return;
      if (kind === undefined) takeGood(target, at);
      else takeBad(target, at, kind, settings);
    },
    lines: (nowAt, columns, paint) => {
      const all = [...targets.values()];
      const shown = worstFirst(all).slice(0, mostLines);
      const hidden = all.length - shown.length;
      const hiddenDown = countDown(all) - countDown(shown);
      const more = `and ${hidden} more, ${hiddenDown === 0 ? 'none' : hiddenDown} of them down`;
      return [
        ...shown.map((target) => targetLine(target, nowAt, columns, paint)),
        ...(hidden === 0 ? [] : [hiddenDown === 0 ? paint.faint(more) : paint.bad(more)]),
      ];
    },
  };
}

function takeGood(target: WatchedTarget, at: number): void {
  target.downtime?.take({ at });
  target.downSince = undefined;
  target.lastGoodAt = at;
}

function takeBad(
  target: WatchedTarget,
  at: number,
  kind: OutageKind,
  { intervalSeconds, timeoutSeconds }: Probing,
): void {
  target.downtime ??= begun(target, liveDowntime(intervalSeconds, timeoutSeconds));
  target.downtime.take({ at, kind });
  target.downSince ??= at;
}

/** The last good sample before the first bad one bounds it. */
function begun({ lastGoodAt }: WatchedTarget, downtime: LiveDowntime): LiveDowntime {
  if (lastGoodAt !== undefined) downtime.take({ at: lastGoodAt });
  return downtime;
}

const countDown = (targets: readonly Pick<WatchedTarget, 'downSince'>[]): number =>
  targets.filter(({ downSince }) => downSince !== undefined).length;

/** Of those that are down the one that is so for the longest time; of the others the one with the most downtime. */
function worstFirst(targets: readonly WatchedTarget[]): readonly WatchedTarget[] {
  const seconds = new Map(targets.map((one) => [one, one.downtime?.now().upperSeconds ?? 0]));
  return targets.toSorted(
    (one, other) =>
      (one.downSince ?? Number.POSITIVE_INFINITY) - (other.downSince ?? Number.POSITIVE_INFINITY) ||
      (seconds.get(other) ?? 0) - (seconds.get(one) ?? 0),
  );
}

function targetLine({ url, downSince, downtime }: WatchedTarget, nowAt: number, columns: number, paint: Paint): string {
  const soFar = downtime === undefined ? 'no downtime so far' : `downtime so far ${boundedText(downtime.now())}`;
  const text = downSince === undefined ? soFar : `down for ${elapsed(nowAt - downSince)}, ${soFar}`;
  // The end of a long address tells more than its beginning.
  const room = Math.max(10, columns - text.length - 4);
  const name = url.length > room ? `…${url.slice(1 - room)}` : url;
  const line = `${downSince === undefined ? '✓' : '✗'} ${printable(name)}  ${text}`;
  if (downSince !== undefined) return paint.bad(line);
  return downtime === undefined ? line : paint.doubtful(line);
}
