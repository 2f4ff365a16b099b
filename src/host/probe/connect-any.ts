import { lookup } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Peer } from './destination.ts';

/**
 * Begins a connection to whichever of the addresses answers first, those that are given or those of the name (RFC
 * 8305).
 */
export function connectToAny({ name, port, addresses, family }: Peer): Socket {
  return connect({ host: name, port, lookup: addresses === undefined ? ofFamily(family) : always(addresses) });
}

/** With a family among its own options a connection tries one address alone. */
const ofFamily =
  (family: 4 | 6 | undefined): LookupFunction =>
  (name, options, callback) =>
    lookup(name, family === undefined ? options : { ...options, family }, callback);

/** A look-up that gives these addresses for any name. */
function always(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, callback) => {
    if (options.all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}
