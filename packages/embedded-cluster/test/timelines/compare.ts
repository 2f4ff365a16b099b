import type { Step } from './steps.ts';

/**
 * What is not as recorded: a step that does not come, one that the recording does not have, a wrong order, another
 * delay.
 */
export interface Difference {
  readonly kind: 'missing' | 'extra' | 'order' | 'delay';
  readonly what: string;
  /** What was recorded, and what was seen. */
  readonly detail: string;
}

/** Steps closer than this come in any order, and delays are alike within it: Karpenter looks again once a second. */
export const toleranceSeconds = 1;

export interface Comparison {
  /** Those of the seed that has the fewest that are not known, and the delays that no seed comes near to. */
  readonly differences: readonly Difference[];
  /** How many seeds have the recorded steps in the recorded order, but for what is known. */
  readonly alike: number;
}

/** The recording beside the same deed with some seeds. */
export function compare(
  recorded: readonly Step[],
  runs: readonly (readonly Step[])[],
  isKnown: (difference: Pick<Difference, 'kind' | 'what'>) => boolean,
): Comparison {
  const isAnchor = ({ what }: Step) => !kinds.some((kind) => isKnown({ kind, what }));
  const found = runs.map((run) => inOne(recorded, run, isAnchor));
  const unknown = found.map((differences) => differences.filter((one) => !isKnown(one)).length);
  const closest = found[unknown.indexOf(Math.min(...unknown))] ?? [];
  return {
    differences: [...closest, ...otherDelays(recorded, runs, isAnchor)],
    alike: unknown.filter((count) => count === 0).length,
  };
}

const kinds = ['missing', 'extra', 'order', 'delay'] as const;

/** Whether the order and the delay of others is measured by that step: not by one that is known to differ. */
type IsAnchor = (step: Step) => boolean;

function inOne(recorded: readonly Step[], run: readonly Step[], isAnchor: IsAnchor): readonly Difference[] {
  const times = new Map(run.map(({ what, at }) => [what, at]));
  const known = new Set(recorded.map(({ what }) => what));
  const end = recorded.at(-1)?.at ?? 0;
  const common = recorded.filter(({ what }) => times.has(what));
  return [
    ...recorded
      .filter(({ what }) => !times.has(what))
      .map(({ what, at }) => ({ kind: 'missing' as const, what, detail: `recorded at ${at} s` })),
    ...run
      .filter(({ what, at }) => at <= end && !known.has(what))
      .map(({ what, at }) => ({ kind: 'extra' as const, what, detail: `at ${at} s` })),
    ...common.flatMap((step, index) => wrongOrder(step, common.slice(0, index).filter(isAnchor), times)),
  ];
}

function wrongOrder(step: Step, before: readonly Step[], times: ReadonlyMap<string, number>): readonly Difference[] {
  const at = (what: string) => times.get(what) ?? Number.NaN;
  const passed = before.find((one) => step.at - one.at > toleranceSeconds && at(one.what) > at(step.what));
  return passed === undefined
    ? []
    : [{ kind: 'order', what: step.what, detail: `recorded after "${passed.what}", seen before it` }];
}

/** Steps whose delay since the recorded step before is not within the range that the seeds have. */
function otherDelays(
  recorded: readonly Step[],
  runs: readonly (readonly Step[])[],
  isAnchor: IsAnchor,
): readonly Difference[] {
  const times = runs.map((run) => new Map(run.map(({ what, at }) => [what, at])));
  const seen = recorded.filter(({ what }) => times.some((one) => one.has(what)));
  return seen.flatMap((step, index) => {
    const previous = seen.slice(0, index).findLast(isAnchor);
    const delays = times.flatMap((one) => {
      const [from, to] = [previous === undefined ? 0 : one.get(previous.what), one.get(step.what)];
      return from === undefined || to === undefined ? [] : [to - from];
    });
    if (delays.length === 0) return [];
    const real = step.at - (previous?.at ?? 0);
    const [least, most] = [Math.min(...delays), Math.max(...delays)];
    if (real >= least - toleranceSeconds && real <= most + toleranceSeconds) return [];
    const since = previous === undefined ? 'the deed' : `"${previous.what}"`;
    const span = `${least.toFixed(2)} to ${most.toFixed(2)} s`;
    return [{ kind: 'delay', what: step.what, detail: `recorded ${real.toFixed(2)} s after ${since}, seen ${span}` }];
  });
}
