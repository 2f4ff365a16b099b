/** A quantity of CPU in thousandths of a core: `250m`, `1`, `0.5`, and metrics-server's own `1834567n` and `92u`. */
export function millicores(quantity: string): number {
  const [, digits = '0', unit = ''] = /^([\d.]+)([mun]?)$/.exec(quantity) ?? [];
  return (1000 * Number(digits)) / (unitsOfCore[unit] ?? 1);
}

/** How many of each unit make one core. */
const unitsOfCore: Readonly<Record<string, number>> = { m: 1e3, u: 1e6, n: 1e9 };
