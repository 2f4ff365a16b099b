/** The exponents of the suffixes of a quantity: of 10, and of 2. */
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const nano = 10n ** 9n;

/**
 * A quantity as the API server writes it: without a fraction, with the largest suffix of its kind (`1000m` is `1`,
 * `0.5` is `500m`, `1.5Gi` is `1536Mi`; apimachinery, pkg/api/resource). Text that is no quantity, or one with an
 * exponent, stays.
 */
export function canonicalQuantity(text: string): string {
  const [, sign = '', whole = '', fraction = '', suffix = ''] = /^([+-]?)(\d*)\.?(\d*)([a-zA-Z]*)$/.exec(text) ?? [];
  const isKnown = suffix in decimal || suffix in binary;
  if (whole + fraction === '' || !isKnown) return text;
  const nanos = nanosOf(whole, fraction, suffix);
  const amount = suffix in binary && nanos >= 1024n * nano ? inBinary(nanos) : undefined;
  const shown = amount ?? inDecimal(nanos);
  return sign === '-' && shown !== '0' ? `-${shown}` : shown;
}

/** In billionths, rounded up, which is as fine as a quantity gets. */
function nanosOf(whole: string, fraction: string, suffix: string): bigint {
  const digits = BigInt(`${whole}${fraction}`);
  const power = decimal[suffix] ?? 0;
  const factor = suffix in binary ? 2n ** BigInt(binary[suffix] ?? 0) : 1n;
  const exponent = 9 + power - fraction.length;
  if (exponent >= 0) return digits * factor * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (digits * factor + divisor - 1n) / divisor;
}

function inDecimal(nanos: bigint): string {
  if (nanos === 0n) return '0';
  const [suffix, power] = Object.entries(decimal)
    .toReversed()
    .find(([, exponent]) => nanos % 10n ** BigInt(9 + exponent) === 0n) ?? ['n', -9];
  return `${nanos / 10n ** BigInt(9 + power)}${suffix}`;
}

function inBinary(nanos: bigint): string | undefined {
  if (nanos % nano !== 0n) return undefined;
  const amount = nanos / nano;
  const [suffix, power] = Object.entries(binary)
    .toReversed()
    .find(([, exponent]) => amount % 2n ** BigInt(exponent) === 0n) ?? ['', 0];
  return `${amount / 2n ** BigInt(power)}${suffix}`;
}
