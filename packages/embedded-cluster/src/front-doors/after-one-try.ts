import type { Path } from '../data-plane/dial.ts';
import type { Address } from '../data-plane/endpoint-propagation.ts';
import type { Truth } from '../data-plane/front-door.ts';
import { bad } from '../data-plane/truth.ts';

/** What would happen to new requests at a proxy that tries any endpoint once. */
export function afterOneTry(
  { machines }: Path,
  upstream: { readonly addresses: readonly Address[]; readonly port: number } | undefined,
): Truth {
  if (upstream === undefined || upstream.addresses.length === 0) return bad;
  const { addresses, port } = upstream;
  const failing = addresses.filter(({ address }) => machines.connect(address, port).outcome !== 'accepted');
  return { failing: failing.length / addresses.length, slow: 0 };
}
