import type { HorizontalPodAutoscalerSpec, ScalingPolicy, ScalingRules } from '../kubernetes/horizontal-autoscaler.ts';
import type { Stated } from '../objects/conditions.ts';

/** What an autoscaler remembers; instants in epoch milliseconds. */
export interface ScalingHistory {
  readonly recommendations: readonly { readonly replicas: number; readonly at: number }[];
  /** The changes that it made: replicas added, or removed (negative). */
  readonly changes: readonly { readonly replicas: number; readonly at: number }[];
}

/**
 * The replicas that the rules let through of those that the metrics ask for, with the conditions AbleToScale and
 * ScalingLimited.
 */
export interface Ruled {
  readonly replicas: number;
  readonly conditions: readonly Stated[];
}

/** --horizontal-pod-autoscaler-downscale-stabilization. */
const downSeconds = 300;

/** pkg/apis/autoscaling/v2/defaults.go. */
const defaultUp: Required<ScalingRules> = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const defaultDown: Required<ScalingRules> = {
  stabilizationWindowSeconds: downSeconds,
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

/** The history without what no window reaches any more, which is an hour at most. */
export const forgotten = ({ recommendations, changes }: ScalingHistory, at: number): ScalingHistory => ({
  recommendations: recommendations.filter((one) => one.at > at - longestMs),
  changes: changes.filter((one) => one.at > at - longestMs),
});
const longestMs = 3_600_000;

/**
 * horizontal.go, normalizeDesiredReplicas, and normalizeDesiredReplicasWithBehaviors where the spec has a behavior;
 * `history` has this wish already.
 */
export function ruled(
  spec: HorizontalPodAutoscalerSpec,
  current: number,
  wanted: number,
  history: ScalingHistory,
  at: number,
): Ruled {
  const up = { ...defaultUp, ...spec.behavior?.scaleUp };
  const down = { ...defaultDown, ...spec.behavior?.scaleDown };
  const stable = stabilized(spec, { current, wanted }, history, { up, down, at });
  const { minReplicas: least = 1, maxReplicas: most } = spec;
  const limits = { least, most, ...rates(spec, current, history, { up, down, at }) };
  const limited = limitedTo(stable, current, limits);
  return { replicas: limited.replicas, conditions: [ableToScale(stable, wanted), limited.condition] };
}

interface Rules {
  readonly up: Required<ScalingRules>;
  readonly down: Required<ScalingRules>;
  readonly at: number;
}

/**
 * Without a behavior the highest wish of the last five minutes, also where somebody else has scaled meanwhile
 * (stabilizeRecommendation). With one never above what was lately the lowest wish, nor below what was lately the
 * highest (stabilizeRecommendationWithBehaviors).
 */
function stabilized(
  { behavior }: HorizontalPodAutoscalerSpec,
  { current, wanted }: { readonly current: number; readonly wanted: number },
  { recommendations }: ScalingHistory,
  { up, down, at }: Rules,
): number {
  const within = (seconds: number) =>
    recommendations.filter((one) => one.at > at - 1000 * seconds).map(({ replicas }) => replicas);
  const lowest = Math.min(wanted, ...within(up.stabilizationWindowSeconds));
  const highest = Math.max(wanted, ...within(down.stabilizationWindowSeconds));
  return behavior === undefined ? highest : Math.min(Math.max(current, lowest), highest);
}

function ableToScale(stable: number, wanted: number): Stated {
  const [reason, message] =
    stable > wanted
      ? [
          'ScaleDownStabilized',
          'recent recommendations were higher than current one, applying the highest recent recommendation',
        ]
      : stable < wanted
        ? [
            'ScaleUpStabilized',
            'recent recommendations were lower than current one, applying the lowest recent recommendation',
          ]
        : ['ReadyForNewScale', 'recommended size matches current size'];
  return { type: 'AbleToScale', status: 'True', reason, message };
}

interface Rates {
  readonly up: number;
  readonly down: number;
}

/** How far it may go now; without a behavior at most to the double, or to four (calculateScaleUpLimit). */
function rates(
  { behavior }: HorizontalPodAutoscalerSpec,
  current: number,
  history: ScalingHistory,
  rules: Rules,
): Rates {
  if (behavior === undefined) return { up: Math.max(2 * current, 4), down: 0 };
  return {
    up: Math.max(current, limitOf(rules.up, current, history, rules.at, 1)),
    down: Math.min(current, limitOf(rules.down, current, history, rules.at, -1)),
  };
}

/**
 * `direction` is 1 for more and -1 for fewer (calculateScaleUpLimitWithScalingRules,
 * calculateScaleDownLimitWithBehaviors).
 */
function limitOf(
  { selectPolicy, policies }: Required<ScalingRules>,
  current: number,
  { changes }: ScalingHistory,
  at: number,
  direction: 1 | -1,
): number {
  if (selectPolicy === 'Disabled') return current;
  const proposals = policies.map((policy) => {
    const recent = changes.filter((one) => one.at > at - 1000 * policy.periodSeconds);
    return proposalOf(policy, current - recent.reduce((sum, one) => sum + one.replicas, 0), direction);
  });
  return (selectPolicy === 'Max') === (direction === 1) ? Math.max(...proposals) : Math.min(...proposals);
}

function proposalOf({ type, value }: ScalingPolicy, before: number, direction: 1 | -1): number {
  if (type === 'Pods') return before + direction * value;
  const share = before * (1 + (direction * value) / 100);
  return direction === 1 ? Math.ceil(share) : Math.trunc(share);
}

interface Limits extends Rates {
  readonly least: number;
  readonly most: number;
}

function limitedTo(
  stable: number,
  current: number,
  { least, most, up, down }: Limits,
): { replicas: number; condition: Stated } {
  const limited = (replicas: number, reason: string, message: string) => ({
    replicas,
    condition: { type: 'ScalingLimited', status: 'True', reason, message } as const,
  });
  if (stable > Math.min(most, up))
    return most > up
      ? limited(up, 'ScaleUpLimit', 'the desired replica count is increasing faster than the maximum scale rate')
      : limited(most, 'TooManyReplicas', 'the desired replica count is more than the maximum replica count');
  if (stable < current && stable < Math.max(least, down))
    return least < down
      ? limited(down, 'ScaleDownLimit', 'the desired replica count is decreasing faster than the maximum scale rate')
      : limited(least, 'TooFewReplicas', 'the desired replica count is less than the minimum replica count');
  const message = 'the desired count is within the acceptable range';
  return {
    replicas: stable,
    condition: { type: 'ScalingLimited', status: 'False', reason: 'DesiredWithinRange', message },
  };
}
