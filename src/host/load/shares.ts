import type { LoadPlan } from './load-plan.ts';

/**
 * The share of worker `index` of `workers`. Worker i makes the requests i, i + workers, i + 2 × workers … of the whole
 * load, so that the shares sum to what was asked for, and requests of a rate are due at the same times as one worker's.
 */
export function shareOf(plan: LoadPlan, workers: number, index: number): LoadPlan {
  const { requests, concurrency, rate } = plan;
  return {
    ...plan,
    requests: portion(requests, workers, index),
    concurrency: portion(concurrency, workers, index),
    ...(rate === undefined
      ? {}
      : { rate: { ...rate, first: rate.first + index * rate.every, every: workers * rate.every } }),
  };
}

function portion(whole: number, workers: number, index: number): number {
  const rest = whole % workers;
  return (whole - rest) / workers + (index < rest ? 1 : 0);
}
