import { randomBytes, timingSafeEqual } from 'node:crypto';

/** Text for an address that nobody can guess: 128 random bits, in letters that need no escape. */
export const newToken = (): string => randomBytes(16).toString('base64url');

/** Whether both are the same; how long it takes says nothing of how much of it is. */
export function isSameToken(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
