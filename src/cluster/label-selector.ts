import type { LabelSelector } from './metadata.ts';

type Labels = Readonly<Record<string, string>>;
type Expression = NonNullable<LabelSelector['matchExpressions']>[number];

/**
 * Pure. Whether the labels are selected: every label and every expression holds (meta/v1, LabelSelector). A selector that is missing
 * or says nothing selects nothing, as an eviction reads a budget's (facts 3.2).
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
