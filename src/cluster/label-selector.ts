import type { LabelSelector } from './metadata.ts';

type Labels = Readonly<Record<string, string>>;
type Expression = NonNullable<LabelSelector['matchExpressions']>[number];

/**
 * Whether the labels match the selector: every label and every expression holds (meta/v1, LabelSelector). A missing or
 * empty selector matches nothing, as for a PodDisruptionBudget of policy/v1 at an eviction (docs/facts/kubernetes.md).
 */
export function selects(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  const wanted = Object.entries(selector?.matchLabels ?? {});
  const expressions = selector?.matchExpressions ?? [];
  if (wanted.length + expressions.length === 0) return false;
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    expressions.every((expression) => holds(expression, labels))
  );
}

function holds({ key, operator, values = [] }: Expression, labels: Labels): boolean {
  const value = labels[key];
  const isAmong = value !== undefined && values.includes(value);
  const answers = { In: isAmong, NotIn: !isAmong, Exists: value !== undefined, DoesNotExist: value === undefined };
  return answers[operator];
}
