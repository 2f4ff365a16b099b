import { createHmac, randomBytes } from 'node:crypto';
import { isSameToken } from './token.ts';

/**
 * Shows that a JSON object was written by who holds a key, and that nobody changed it since: its member `seal` is an
 * HMAC-SHA256 (RFC 2104) of the others.
 */
export interface Seal {
  /** The object with its seal as the last member. */
  on<T extends object>(value: T): T & { readonly seal: string };
  /** Whether `on` returned this value, before it was written and parsed. */
  isOn(value: unknown): boolean;
}

/** The seal of who holds this key. Each of the two ways to use it in a run folder has an `about` of its own. */
export function sealBy(key: string, about: string): Seal {
  const of = (value: object): string =>
    createHmac('sha256', key)
      .update(`${about}\n${JSON.stringify(value)}`)
      .digest('hex');
  return {
    on: (value) => ({ ...value, seal: of(value) }),
    isOn: (value) => {
      if (typeof value !== 'object' || value === null || !('seal' in value)) return false;
      const { seal, ...others } = value;
      return typeof seal === 'string' && isSameToken(seal, of(others));
    },
  };
}

/** 256 random bits as text. */
export const newKey = (): string => randomBytes(32).toString('hex');
