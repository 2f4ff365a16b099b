const units: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

/** A Kubernetes quantity (`250m`, `1.5`, `64Gi`) as a number; NaN of what is none. */
export function quantityOf(text: string): number {
  const [, digits = '', unit = ''] = /^([\d.]+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(text) ?? [];
  return Number(digits === '' ? Number.NaN : digits) * (unit === '' ? 1 : (units[unit] ?? Number.NaN));
}
