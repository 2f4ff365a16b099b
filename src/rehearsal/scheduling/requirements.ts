import type { PodSpec, Requirement } from '../../cluster/specs.ts';

type Labels = Readonly<Record<string, string>>;

/** Whether labels meet every requirement: a node selector term, or a NodePool's `requirements` (2.2). */
export const meetsAll = (labels: Labels, requirements: readonly Requirement[]): boolean =>
  requirements.every((requirement) => meets(labels[requirement.key], requirement));

/** Whether one label's value, or its absence, meets one requirement. Gt and Lt compare whole numbers. */
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

/** Whether a node with these labels is one that the pod asks for: nodeSelector and required node affinity. */
export function isAskedFor(spec: PodSpec, labels: Labels): boolean {
  for (const key in spec.nodeSelector) if (labels[key] !== spec.nodeSelector[key]) return false;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return terms === undefined || terms.some((term) => meetsTerm(labels, term));
}

interface Term {
  readonly matchExpressions?: readonly Requirement[];
  readonly matchFields?: readonly Requirement[];
}

/** A term without requirements selects no node. The one field that may be asked for is the node's name, which is its hostname here. */
function meetsTerm(labels: Labels, { matchExpressions = [], matchFields = [] }: Term): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const name = labels['kubernetes.io/hostname'];
  return meetsAll(labels, matchExpressions) && matchFields.every((requirement) => meets(name, requirement));
}
