import type { Header } from './target.ts';

/** One request of a chain of redirects. */
export interface Hop {
  readonly url: URL;
  readonly headers: readonly Header[];
}

/** Any 3xx with a `Location`, as with curl. */
const isRedirect = (status: number): boolean => status >= 300 && status < 400;
/** Credentials are sent only to the server that they were meant for. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'cookie']);

/**
 * Where the answer sends the request (RFC 9110, section 15.4), undefined if nowhere. As with curl, `Authorization` and
 * `Cookie` go only to the origin of the first request, and a `Host` of one's own only to its host. The method is not
 * changed: curl changes only one that it chose itself for a body, and a request here has none.
 */
export function redirected(first: Hop, at: URL, status: number, location: string | undefined): Hop | undefined {
  const url = location === undefined ? null : URL.parse(location, at.href);
  if (!isRedirect(status) || url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return { url, headers: first.headers.filter(({ name }) => isFor(url, name.toLowerCase(), first.url)) };
}

function isFor(url: URL, name: string, first: URL): boolean {
  if (credentials.has(name)) return url.origin === first.origin;
  return name !== 'host' || url.hostname === first.hostname;
}
