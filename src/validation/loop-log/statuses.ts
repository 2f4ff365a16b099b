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

/** Whether a number may be the status of an answer: three digits, and one that somebody uses. */
export const isStatus = ({ text, unit }: Field): boolean =>
  unit === undefined && /^\d{3}$/.test(text) && ranges.some(([from, to]) => Number(text) >= from && Number(text) <= to);
