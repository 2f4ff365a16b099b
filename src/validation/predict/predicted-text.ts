import type { Prediction, Range } from '../record/prediction.ts';

/** A prediction in one sentence: how long traffic, node and pod take, and why each step happens. */
export function predictedText(prediction: Prediction): string {
  const steps = prediction.steps.map(
    ({ what, afterSeconds, because }) => `${what} ${within(afterSeconds)} (${because})`,
  );
  return `${clocksText(prediction)}: ${steps.join('; ')}`;
}

/** `traffic ≤ 55 s, node ready ≤ 240 s, pod ready ≤ 270 s`: the three clocks of a scenario. */
export function clocksText({ downtimeSeconds, nodeReadySeconds, podReadySeconds }: Prediction): string {
  return [
    downtimeSeconds.most === 0 ? 'no downtime' : `traffic ${within(downtimeSeconds)}`,
    ...(nodeReadySeconds === null ? [] : [`node ready ${within(nodeReadySeconds)}`]),
    ...(podReadySeconds === null ? [] : [`pod ready ${within(podReadySeconds)}`]),
  ].join(', ');
}

function within({ least, most }: Range): string {
  return least < 1 ? `≤ ${whole(most)} s` : `${whole(least)} to ${whole(most)} s`;
}

const whole = (seconds: number): string => String(Math.round(seconds));
