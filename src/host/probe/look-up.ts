import { lookup } from 'node:dns';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { codeOf, isOwnTrouble } from '../system-error.ts';

/**
 * Threads for getaddrinfo, which blocks: libuv gives name look-ups at most half of its pool, and a look-up at a dead
 * resolver takes 10 to 30 seconds (resolv.conf(5): 5 s, 2 attempts, each server), so a probe a second needs about 30.
 */
const poolThreads = '64';
/**
 * One dead name must not block the look-ups of others: above this number further probes of it share the newest look-up.
 */
const mostOfOneName = 12;

/** `short` names the resource that this machine had run out of. */
export type Address = { readonly address: string } | { readonly failed: string } | { readonly short: string };

const underWay = new Map<string, Promise<Address>[]>();

/** Has an effect only before the pool's first use. */
export function allowManyLookUps(): void {
  process.env.UV_THREADPOOL_SIZE ??= poolThreads;
}

/**
 * Asks the system's resolver, as curl does, and takes its first address, of the family where one is given: getaddrinfo
 * sorts unreachable addresses last (RFC 6724, section 6, rule 1). Only one address is tried, because going on to the
 * next would hide that the first is dead.
 */
export function lookUp(name: string, family: 0 | 4 | 6 = 0): Promise<Address> {
  const asked = `${name} ${family}`;
  const others = underWay.get(asked) ?? [];
  const newest = others.at(-1);
  if (newest !== undefined && others.length >= mostOfOneName) return newest;
  const own = ask(name, family).finally(() => forget(asked, own));
  underWay.set(asked, [...others, own]);
  return own;
}

function ask(name: string, family: 0 | 4 | 6): Promise<Address> {
  return new Promise((resolve) => {
    lookup(name, { order: 'verbatim', family }, (error, address) =>
      resolve(error === null ? { address } : noAddress(error)),
    );
  });
}

function noAddress(error: NodeJS.ErrnoException): Address {
  const short = isOwnTrouble(error) ? error.code : shortOf();
  return short === undefined ? { failed: error.code ?? error.message } : { short };
}

/** Without a free file descriptor getaddrinfo may answer that there is no such name. */
function shortOf(): string | undefined {
  try {
    closeSync(openSync(devNull, 'r'));
    return undefined;
  } catch (error) {
    return isOwnTrouble(error) ? codeOf(error) : undefined;
  }
}

function forget(asked: string, own: Promise<Address>): void {
  const left = (underWay.get(asked) ?? []).filter((other) => other !== own);
  if (left.length > 0) underWay.set(asked, left);
  else underWay.delete(asked);
}
