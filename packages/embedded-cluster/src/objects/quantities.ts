import type { Quantities } from '../kubernetes/metadata.ts';

const factors: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};
const parsed = new Map<string, number>();
/** A cluster has few of them. The bound keeps a client that sends new ones all the time from filling the memory. */
const mostKept = 10_000;

/** The number of a Kubernetes quantity: cores, bytes, pods. Text that is no quantity counts as 0. */
export function quantity(text: string | undefined): number {
  if (text === undefined) return 0;
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const [, digits = '0', suffix = ''] = /^([0-9.]+)([A-Za-z]*)$/.exec(text) ?? [];
  const value = Number(digits) * (factors[suffix] ?? 0);
  if (parsed.size >= mostKept) parsed.clear();
  parsed.set(text, value);
  return value;
}

/** Amounts by resource name. */
export type Amounts = Readonly<Record<string, number>>;

export function amounts(quantities: Quantities | undefined): Amounts {
  return Object.fromEntries(Object.entries(quantities ?? {}).map(([name, text]) => [name, quantity(text)]));
}

/** `left + sign * right`. */
export function plus(left: Amounts, right: Amounts, sign: 1 | -1 = 1): Amounts {
  const sum: Record<string, number> = { ...left };
  for (const name in right) sum[name] = (sum[name] ?? 0) + sign * (right[name] ?? 0);
  return sum;
}

export function total(all: readonly Amounts[]): Amounts {
  const sum: Record<string, number> = {};
  for (const each of all) for (const name in each) sum[name] = (sum[name] ?? 0) + (each[name] ?? 0);
  return sum;
}

/** Relative and absolute: sums of floating-point requests may exceed a limit by rounding. */
const tolerance = 1e-9;

/** Whether every wanted amount is free. */
export function fits(wanted: Amounts, free: Amounts): boolean {
  for (const name in wanted) if ((wanted[name] ?? 0) > (free[name] ?? 0) * (1 + tolerance) + tolerance) return false;
  return true;
}
