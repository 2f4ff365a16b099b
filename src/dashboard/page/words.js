/**
 * `820 ms`, `8.2 s`, `3 min 12 s`, `2 h 5 min`, `3 d 4 h`.
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const [, large, largeName, small, smallName] = /** @type {(typeof units)[number]} */ (
    units.find(([most]) => milliseconds < most)
  );
  const rest = Math.floor((milliseconds % large) / small);
  return `${Math.floor(milliseconds / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
/** @type {readonly (readonly [number, number, string, number, string])[]} */
const units = [
  [hour, minute, 'min', second, 's'],
  [day, hour, 'h', minute, 'min'],
  [Number.POSITIVE_INFINITY, day, 'd', hour, 'h'],
];

/**
 * `2026-11-26 14:03Z`, UTC.
 * @param {number} at
 */
export const dayAndTime = (at) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`;

/**
 * Seven digits, the default of `git log --abbrev-commit`.
 * @param {string | null} commit
 */
export const short = (commit) => commit?.slice(0, 7) ?? '–';

/**
 * `1 request`, `3 requests`.
 * @param {number} count
 * @param {string} what
 */
export const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;
