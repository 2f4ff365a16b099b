import { isIP } from 'node:net';
import { UsageError } from '../errors.ts';
import type { Hop } from './redirect.ts';
import { nameIn, portOf, resolvedAddresses } from './resolved.ts';
import type { Header, Target } from './target.ts';
import { proxyFor } from './target-proxy.ts';

/** Where a TCP connection goes. */
export interface Peer {
  /** A name, or an address without the brackets of IPv6. */
  readonly name: string;
  readonly port: number;
  /** Those to try, one after the other; absent: the name is looked up. */
  readonly addresses?: readonly string[];
  readonly family?: 4 | 6;
  /** Whichever of its addresses answers first is connected to (RFC 8305). */
  readonly any?: true;
}

/** How a certificate is verified. */
export interface Verified {
  readonly name: string;
  readonly ca?: string;
  readonly insecure?: boolean;
}

/** The way of a target's requests, and their bytes. */
export interface Destination {
  /** The server, or the proxy in front of it. */
  readonly peer: Peer;
  readonly proxied: boolean;
  /** What asks the proxy for a connection to the server. */
  readonly tunnel?: string;
  /** Absent for http. */
  readonly tls?: Verified;
  readonly method: string;
  readonly request: Readonly<Record<'new' | 'reused', string>>;
}

/** An http or https URL; any other text is a `UsageError`. */
export function httpAddress(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError([`${text} is not a URL that begins with http:// or https://`]);
}

/** The way of this request, by the options of its target. */
export function destination({ url, headers }: Hop, target: Omit<Target, 'url' | 'headers'>): Destination {
  const { method = 'GET', ca, insecure } = target;
  const proxy = proxyFor(url, target);
  const tls = {
    name: nameIn(url),
    ...(ca === undefined ? {} : { ca }),
    ...(insecure === undefined ? {} : { insecure }),
  };
  const secure = url.protocol === 'https:';
  const plainProxy = secure ? undefined : proxy;
  const path = `${plainProxy === undefined ? '' : url.origin}${url.pathname}${url.search}`;
  const request = (connection: string) =>
    requestText(
      `${method} ${path}`,
      [
        { name: 'Host', value: url.host },
        ...(plainProxy?.headers ?? []),
        userAgent,
        { name: 'Accept', value: '*/*' },
        { name: 'Connection', value: connection },
      ],
      headers,
    );
  return {
    peer: peer(proxy?.url ?? url, target),
    proxied: proxy !== undefined,
    ...(secure && proxy !== undefined ? { tunnel: tunnelTo(url, proxy.headers) } : {}),
    ...(secure ? { tls } : {}),
    method,
    request: { new: request('close'), reused: request('keep-alive') },
  };
}

/** RFC 9110, section 9.3.6. */
function tunnelTo(url: URL, headers: readonly Header[]): string {
  const server = `${url.hostname}:${portOf(url)}`;
  return requestText(`CONNECT ${server}`, [{ name: 'Host', value: server }, ...headers, userAgent], []);
}

const userAgent: Header = { name: 'User-Agent', value: 'holdfast' };

function peer(url: URL, { resolve, family }: Pick<Target, 'resolve' | 'family'>): Peer {
  const name = nameIn(url);
  const known = resolvedAddresses(url, resolve) ?? (isIP(name) === 0 ? undefined : [name]);
  const addresses = known?.filter((address) => family === undefined || isIP(address) === family);
  return {
    name,
    port: portOf(url),
    ...(addresses === undefined ? {} : { addresses }),
    ...(family === undefined ? {} : { family }),
  };
}

/**
 * One request without a body, as its bytes: the headers given replace its own of the same name. `Host` stays the first
 * (RFC 9110, section 7.2), and there is one of it; the others that were given are the last, as with curl.
 */
export function requestText(line: string, own: readonly Header[], given: readonly Header[]): string {
  const replaced = new Set(given.map(({ name }) => name.toLowerCase()));
  const kept = own.filter(({ name }) => !replaced.has(name.toLowerCase()));
  const fields = [...given.filter(isHost).slice(0, 1), ...kept, ...given.filter((header) => !isHost(header))].flatMap(
    fieldLine,
  );
  return `${[`${line} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`;
}

const isHost = ({ name }: Header): boolean => name.toLowerCase() === 'host';
/** `Host` is written in one way, as by curl. */
function fieldLine({ name, value, line }: Header): readonly string[] {
  if (value === undefined) return [];
  if (value === '') return [`${name}:`];
  return [isHost({ name }) ? `Host: ${value}` : (line ?? `${name}: ${value}`)];
}
