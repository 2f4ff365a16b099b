import type { Field } from './line-fields.ts';

/**
 * The registry of HTTP (IANA, "Hypertext Transfer Protocol (HTTP) Status Code Registry"), curl's `000`, and those of
 * nginx, AWS and Cloudflare.
 */
const ranges: readonly (readonly [from: number, to: number])[] = [
  [0, 0],
  [100, 104],
  [200, 208],
  [226, 226],
  [300, 305],
  [307, 308],
  [400, 418],
  [421, 426],
  [428, 429],
  [431, 431],
  [444, 444],
  [451, 451],
  [460, 464],
  [494, 499],
  [500, 508],
  [510, 511],
  [520, 530],
  [561, 561],
];

/** curl's own `000`, or its status under `--fail`, and the `000` of `curl … || echo 000` behind it. */
const doubled = /^(000|[45]\d\d)000$/;

/**
 * The status that a field is, 0 without an answer: also where a library says `0` or `-1` then; undefined for what
 * cannot be one.
 */
export function statusOf(field: Field | undefined): number | undefined {
  if (field === undefined) return undefined;
  if (isStatus(field)) return Number(field.text);
  if (field.text === '0' || field.text === '-1') return 0;
  return doubled.test(field.text) && field.unit === undefined ? Number(field.text.slice(0, 3)) : undefined;
}

/** Whether a number may be the status of an answer: three digits, and one that somebody uses. */
export const isStatus = ({ text, unit }: Field): boolean =>
  unit === undefined && /^\d{3}$/.test(text) && ranges.some(([from, to]) => Number(text) >= from && Number(text) <= to);
