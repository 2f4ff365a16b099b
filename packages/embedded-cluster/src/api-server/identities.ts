import { suffix } from '../objects/names.ts';
import type { RandomStreams } from '../outside/random.ts';

/** UIDs and name suffixes. The same seed gives the same ones, also after a save and a load. */
export interface Identities {
  /** A UUID of version 4 (RFC 9562). */
  uid(): string;
  /** Five characters for `generateName`. */
  suffix(): string;
  /** How many of each have been drawn. */
  drawn(): Drawn;
  /** Draws until that many have been drawn, so that no value is drawn twice. */
  skipTo(drawn: Drawn): void;
}
export interface Drawn {
  readonly uids: number;
  readonly suffixes: number;
}

export function identities(random: RandomStreams): Identities {
  const uids = random('uid');
  const suffixes = random('name');
  const drawn = { uids: 0, suffixes: 0 };
  const uid = () => {
    drawn.uids += 1;
    return uuid(Array.from({ length: 8 }, () => Math.floor(uids() * 0x10000)));
  };
  const nextSuffix = () => {
    drawn.suffixes += 1;
    return suffix(suffixes);
  };
  return {
    uid,
    suffix: nextSuffix,
    drawn: () => ({ ...drawn }),
    skipTo: (wanted) => {
      while (drawn.uids < wanted.uids) uid();
      while (drawn.suffixes < wanted.suffixes) nextSuffix();
    },
  };
}

function uuid(words: readonly number[]): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, ...rest] = words;
  const version = (d & 0x0fff) | 0x4000;
  const variant = (e & 0x3fff) | 0x8000;
  const hex = [a, b, c, version, variant, ...rest].map((word) => word.toString(16).padStart(4, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
