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
