import type { Resolved } from './target.ts';

/** The URL's name, or its address without the brackets of IPv6. */
export const nameIn = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

/** The addresses to connect to for this URL without a look-up; undefined where no entry fits. */
export function resolvedAddresses(url: URL, resolve: readonly Resolved[] = []): readonly string[] | undefined {
  const [name, port] = [nameIn(url), portOf(url)];
  return resolve.find((one) => one.port === port && (one.host === '*' || one.host.toLowerCase() === name))?.addresses;
}
