import type { Requirement } from './specs.ts';

type Labels = Readonly<Record<string, string>>;

/** Whether a node with these labels fulfils the requirement, by the rules of Kubernetes and Karpenter (2.2). */
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

/** Label minus value; NaN, which compares as neither more nor less, if one of them is not a number. */
function compared(value: string | undefined, [bound]: readonly string[]): number {
  return Number(value ?? Number.NaN) - Number(bound ?? Number.NaN);
}
