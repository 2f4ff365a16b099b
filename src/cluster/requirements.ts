import type { Requirement } from './specs.ts';

type Labels = Readonly<Record<string, string>>;

/** Pure. Whether a node of these labels fulfils the requirement, as Kubernetes and Karpenter read it (2.2). */
export function fulfils(labels: Labels, { key, operator, values = [] }: Requirement): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return compared(value, values) > 0;
    case 'Gte':
      return compared(value, values) >= 0;
    case 'Lt':
      return compared(value, values) < 0;
    case 'Lte':
      return compared(value, values) <= 0;
  }
}

/** `kubernetes.io/arch In arm64`. */
export function requirementText({ key, operator, values = [] }: Requirement): string {
  return [key, operator, values.join(', ')].filter((part) => part !== '').join(' ');
}

/** The label as a number against the one value; NaN, which is neither more nor less, where one of them is none. */
function compared(value: string | undefined, [bound]: readonly string[]): number {
  return Number(value ?? Number.NaN) - Number(bound ?? Number.NaN);
}
