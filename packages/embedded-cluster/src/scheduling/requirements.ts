import type { NodeSelectorTerm, PodSpec, Requirement } from '../kubernetes/specs.ts';

type Labels = Readonly<Record<string, string>>;

/** Whether labels meet every requirement of a node selector term or of a NodePool's `requirements`. */
export const meetsAll = (labels: Labels, requirements: readonly Requirement[]): boolean =>
  requirements.every((requirement) => meets(labels[requirement.key], requirement));

/** Whether a label's value, undefined if absent, meets one requirement. Gt, Lt, Gte and Lte compare integers. */
export function meets(value: string | undefined, { operator, values = [] }: Requirement): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return value !== undefined && compares(Number(value), operator, Number(values[0]));
  }
}

function compares(value: number, operator: 'Gt' | 'Lt' | 'Gte' | 'Lte', limit: number): boolean {
  if (operator === 'Gt') return value > limit;
  if (operator === 'Lt') return value < limit;
  return operator === 'Gte' ? value >= limit : value <= limit;
}

/** Whether a node with these labels matches the pod's nodeSelector and required node affinity. */
export function matchesNodeSelection(spec: PodSpec, labels: Labels): boolean {
  for (const key in spec.nodeSelector) if (labels[key] !== spec.nodeSelector[key]) return false;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return terms === undefined || terms.some((term) => meetsTerm(labels, term));
}

/**
 * A term without requirements matches no node. `matchFields` knows metadata.name only, which is the hostname label
 * here.
 */
export function meetsTerm(labels: Labels, { matchExpressions = [], matchFields = [] }: NodeSelectorTerm): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const name = labels['kubernetes.io/hostname'];
  return meetsAll(labels, matchExpressions) && matchFields.every((requirement) => meets(name, requirement));
}
