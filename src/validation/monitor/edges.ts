import type { Host, Sample, Target } from '../../host/host.ts';
import type { Expected } from '../downtime/outage-kind.ts';
import { tickLoop } from './tick-loop.ts';

/** RFC 6585, section 4. */
export const tooManyRequests = 429;

/**
 * The probes for the edges of an outage: faster ones beside those of the interval, while they are wanted and the target
 * allows them.
 */
export interface Edges {
  readonly want: (wanted: boolean) => void;
  /** Whether this answer may be counted: false where the target refuses so many requests. */
  readonly allowed: (sample: Sample, expected: Pick<Expected, 'expect'>) => boolean;
  /** No more of them for good; true the first time. */
  readonly forbid: () => boolean;
  /** Resolves when none is started any more. */
  readonly ended: () => Promise<void>;
}

export interface EdgeSettings {
  readonly targets: readonly [Target, ...Target[]];
  /** Absent: there are none. */
  readonly edgesSeconds?: number;
}

/**
 * Calls `probe` for each target at start + i × interval of the edges, until they are no longer wanted or the signal
 * comes. Probes that the loop misses are missing in the log; only the regular probes make time unknown.
 */
export function edgeLoop(
  host: Host,
  { targets, edgesSeconds }: EdgeSettings,
  stopping: AbortSignal,
  probe: (target: Target) => void,
): Edges {
  let forbidden = edgesSeconds === undefined;
  let wanting: AbortController | undefined;
  let ended: Promise<void> = Promise.resolve();
  const begin = (intervalSeconds: number) => {
    wanting = new AbortController();
    const signal = AbortSignal.any([stopping, wanting.signal]);
    ended = tickLoop(host, { intervalSeconds, targets: targets.length, stream: 'edges' }, signal, {
      tick: (index) => probe(targets[index] ?? targets[0]),
      fact: () => {},
    });
  };
  const end = () => {
    wanting?.abort();
    wanting = undefined;
  };
  return {
    want: (wanted) => {
      if (!wanted) end();
      else if (!forbidden && edgesSeconds !== undefined && wanting === undefined) begin(edgesSeconds);
    },
    allowed: ({ status }, { expect }) => !forbidden && (status !== tooManyRequests || status === expect),
    forbid: () => {
      end();
      const isFirst = !forbidden;
      forbidden = true;
      return isFirst;
    },
    ended: () => ended,
  };
}
