import { type FieldCause, fieldCauses } from '../refusals.ts';
import { addressCauses, isAddress, when } from './formats.ts';

/** Whether the text is a range of addresses, such as `10.0.0.0/8`. */
export function isRange(text: string): boolean {
  const [address = '', length = '', more] = text.split('/');
  const longest = address.includes(':') ? 128 : 32;
  return more === undefined && isAddress(address) && /^\d{1,3}$/.test(length) && Number(length) <= longest;
}

/** An error if it is no range of addresses. */
export function rangeCauses(field: string, text: string): readonly FieldCause[] {
  const why = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
  return when(!isRange(text), fieldCauses.invalid(field, text, why));
}

/**
 * Whether the second range of version 4 is a part of the first and smaller. Of version 6 only its length is compared.
 */
export function contains(outer: string, inner: string): boolean {
  const [from = '', outerLength = '0'] = outer.split('/');
  const [start = '', innerLength = '0'] = inner.split('/');
  if (Number(outerLength) >= Number(innerLength)) return false;
  if (from.includes(':') || start.includes(':')) return from.includes(':') === start.includes(':');
  const size = 2 ** (32 - Number(outerLength));
  return Math.floor(numberOf(from) / size) === Math.floor(numberOf(start) / size);
}

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** Addresses that mean something to one node only, which no other can reach. */
const special: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^(0\.0\.0\.0|::)$/, 'may not be unspecified'],
  [/^(127\.|::1$)/, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [/^(169\.254\.|fe[89ab])/i, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [/^(224\.0\.0\.|ff02:)/i, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

/** The errors in the address of an endpoint (kubernetes, pkg/apis/core/validation, ValidateEndpointIP). */
export function reachableCauses(field: string, address: unknown): readonly FieldCause[] {
  const text = String(address ?? '');
  const wrong = addressCauses(field, text);
  if (wrong.length > 0) return wrong;
  return special.flatMap(([pattern, why]) => when(pattern.test(text), fieldCauses.invalid(field, text, why)));
}
