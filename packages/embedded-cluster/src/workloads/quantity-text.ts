/** The power of ten or of two that a suffix stands for (apimachinery, pkg/api/resource/suffix.go). */
const tens: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const twos: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

interface Parts {
  readonly value: bigint;
  /** The digits as they are written, without the point. */
  readonly digits: string;
  readonly fraction: string;
  readonly suffix: string;
}

/**
 * A quantity as Go holds it and prints it for a hash: a number and a scale, and the text if it is canonical
 * (apimachinery, pkg/api/resource/quantity.go, ParseQuantity). Go holds one such as `1.5Gi` otherwise, which is not
 * followed here.
 */
export function quantityText(text: string | undefined): string {
  if (text === undefined) return held(0n, 0, '', '');
  if (text === '0') return held(0n, 0, text, 'DecimalSI');
  const parts = partsOf(text);
  const two = twos[parts.suffix];
  return two === undefined ? ofTens(text, parts) : ofTwos(text, parts, two);
}

function partsOf(text: string): Parts {
  const [, sign = '', whole = '', fraction = '', suffix = ''] = /^([+-]?)(\d*)\.?(\d*)(.*)$/.exec(text) ?? [];
  const digits = `${whole.replace(/^0+/, '') || (fraction === '' ? '0' : '')}${fraction}`;
  return { value: BigInt(`${sign === '-' ? '-' : ''}${digits}`), digits, fraction, suffix };
}

function ofTwos(text: string, { value, fraction }: Parts, power: number): string {
  const isCanonical = fraction === '' && (value & 7n) !== 0n;
  return held(value << BigInt(power), 0, isCanonical ? text : '', 'BinarySI');
}

function ofTens(text: string, { value, digits, fraction, suffix }: Parts): string {
  const known = tens[suffix];
  const scale = (known ?? Number(suffix.slice(1))) - fraction.length;
  const isCanonical = scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return held(value, scale, isCanonical ? text : '', known === undefined ? 'DecimalExponent' : 'DecimalSI');
}

function held(value: bigint, scale: number, text: string, format: string): string {
  const amount = `(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}}`;
  const decimal = '(resource.infDecAmount){Dec:(*inf.Dec)<nil>}';
  return `{i:${amount} d:${decimal} s:(string)${text} Format:(resource.Format)${format}}`;
}
