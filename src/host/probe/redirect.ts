import type { Header } from './target.ts';

/** One request of a chain of redirects. */
export interface Hop {
  readonly url: URL;
  readonly headers: readonly Header[];
  /** The body of the first request is sent no more. */
  readonly isWithoutData?: true;
}

/** Any 3xx with a `Location`, as with curl. */
const isRedirect = (status: number): boolean => status >= 300 && status < 400;
/** RFC 9110, sections 15.4.8 and 15.4.9. */
const keepsData: ReadonlySet<number> = new Set([307, 308]);
/** Credentials are sent only to the server that they were meant for. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'cookie']);

/**
 * Where the answer sends the request (RFC 9110, section 15.4), undefined if nowhere. As with curl, `Authorization` and
 * `Cookie` go only to the origin of the first request, and a `Host` of one's own only to its host. A body goes on only
 * with 307 and 308; without it the method is GET again, unless one was given.
 */
export function redirected(first: Hop, at: Hop, status: number, location: string | undefined): Hop | undefined {
  const url = location === undefined ? null : URL.parse(location, at.url.href);
  if (!isRedirect(status) || url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const isWithoutData = at.isWithoutData === true || !keepsData.has(status);
  return {
    url,
    headers: first.headers.filter(({ name }) => isFor(url, name.toLowerCase(), first.url)),
    ...(isWithoutData ? { isWithoutData } : {}),
  };
}

function isFor(url: URL, name: string, first: URL): boolean {
  if (credentials.has(name)) return url.origin === first.origin;
  return name !== 'host' || url.hostname === first.hostname;
}
