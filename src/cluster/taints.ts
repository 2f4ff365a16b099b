import type { Taint } from './resources.ts';
import type { PodSpec, Toleration } from './specs.ts';

/** As core/v1 `Toleration.ToleratesTaint`. */
function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  const isMeant = [undefined, taint.effect].includes(effect) && [undefined, taint.key].includes(key);
  return isMeant && (operator === 'Exists' || (value ?? '') === (taint.value ?? ''));
}

/** The taints that keep such pods away. */
export const keepsAway = (taints: readonly Taint[] = [], { tolerations = [] }: PodSpec): readonly Taint[] =>
  taints.filter((taint) => taint.effect !== 'PreferNoSchedule' && !tolerations.some((one) => tolerates(one, taint)));

/** `team=shop:NoSchedule`, as kubectl writes it. */
export const taintText = ({ key, value, effect }: Taint): string =>
  `${key}${value === undefined || value === '' ? '' : `=${value}`}:${effect}`;
