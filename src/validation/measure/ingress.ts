import { eachView, type View, viewAt } from '../record/history.ts';
import type { Evidence } from './evidence.ts';
import { longest, secondsSince } from './since.ts';

/** The ingress controller's pods in the window of a scenario. */
export interface IngressMeasurement {
  readonly readyAtStart: number;
  readonly fewestReady: number;
  /** From the disruption until the last new pod was ready; null without a new pod. */
  readonly readyAgainSeconds: number | null;
}

export function measureIngress({ history, rounds, window }: Evidence): IngressMeasurement {
  const before = viewAt(history, window.from);
  const known = new Set([...before.IngressPod.values()].map(({ uid }) => uid));
  let fewestReady = Number.POSITIVE_INFINITY;
  eachView(history, window.from, window.to, (view) => {
    fewestReady = Math.min(fewestReady, readyOf(view));
  });
  const times = rounds.flatMap(({ actedAt, restAt }) =>
    [...viewAt(history, restAt).IngressPod.values()]
      .filter(({ uid }) => !known.has(uid))
      .map(({ readyAt }) => secondsSince(actedAt, readyAt)),
  );
  return { readyAtStart: readyOf(before), fewestReady, readyAgainSeconds: longest(times) };
}

const readyOf = ({ IngressPod }: View): number => [...IngressPod.values()].filter(({ ready }) => ready).length;
