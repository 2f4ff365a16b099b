import type { LoadPlan } from './load-plan.ts';

type Wanted = Omit<LoadPlan, 'rate' | 'generator'> & {
  /** Requests a second; undefined: as fast as they are answered. */
  readonly rate?: number | undefined;
  /** `holdfast`, as undefined, is this program. */
  readonly generator?: string | undefined;
};

/** The load of one worker that makes all of it. */
export function wholeLoad({ rate, generator, ...plan }: Wanted): LoadPlan {
  return {
    ...plan,
    ...(rate === undefined ? {} : { rate: { perSecond: rate, first: 0, every: 1 } }),
    ...(generator === undefined || generator === 'holdfast' ? {} : { generator }),
  };
}
