import type { Bounded } from '../../figures/figures.js';
import { eachView, type View, viewAt } from '../record/history.ts';
import type { Evidence } from './evidence.ts';
import { readyArrival } from './since.ts';
import { known as at, happened, longestOf, secondsBetween } from './witnesses.ts';

/** The ingress controller's pods in the window of a scenario. */
export interface IngressMeasurement {
  readonly readyAtStart: number;
  readonly fewestReady: number;
  /** From the disruption until the last new pod was ready; null without a new pod. */
  readonly readyAgain: Bounded | null;
}

export function measureIngress({ history, rounds, window, clock }: Evidence): IngressMeasurement {
  const before = viewAt(history, window.from);
  const known = new Set([...before.IngressPod.values()].map(({ uid }) => uid));
  let fewestReady = Number.POSITIVE_INFINITY;
  eachView(history, window.from, window.to, (view) => {
    fewestReady = Math.min(fewestReady, readyOf(view));
  });
  const times = rounds.flatMap(({ actedAt, restAt }) =>
    [...viewAt(history, restAt).IngressPod.values()]
      .filter(({ uid }) => !known.has(uid))
      .flatMap(({ uid, readyAt: timestamp }) => {
        const arrivedAt = timestamp && readyArrival(history, 'IngressPod', uid, timestamp);
        const ready = arrivedAt && happened({ timestamp, arrivedAt, notBefore: actedAt, clock });
        return ready ? [secondsBetween(at(actedAt), ready)] : [];
      }),
  );
  return { readyAtStart: readyOf(before), fewestReady, readyAgain: longestOf(times) };
}

const readyOf = ({ IngressPod }: View): number => [...IngressPod.values()].filter(({ ready }) => ready).length;
