import { isIP } from 'node:net';
import { UsageError } from '../errors.ts';
import { acceptedCodings } from './decoded-body.ts';
import { type Http2Request, http2Request } from './http2-request.ts';
import type { Hop } from './redirect.ts';
import { nameIn, portOf, resolvedAddresses } from './resolved.ts';
import { type SocksRequest, socksRequest } from './socks.ts';
import type { Header, Identity, Target } from './target.ts';
import { proxyFor, type TargetProxy } from './target-proxy.ts';

/** Where a TCP connection goes. */
export interface Peer {
  /** A name, or an address without the brackets of IPv6. */
  readonly name: string;
  readonly port: number;
  /** Those to try, one after the other; absent: the name is looked up. */
  readonly addresses?: readonly string[];
  readonly family?: 4 | 6;
  /** A socket of this machine. */
  readonly path?: string;
  /** Whichever of its addresses answers first is connected to (RFC 8305). */
  readonly any?: true;
}

/** How a certificate is verified. */
export interface Verified {
  readonly name: string;
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly identity?: Identity;
  readonly http2?: boolean;
}

/** The way of a target's requests, and their bytes. */
export interface Destination {
  /** The server, or the proxy in front of it. */
  readonly peer: Peer;
  readonly proxied: boolean;
  /** What asks the proxy for a connection to the server. */
  readonly tunnel?: string;
  /** What a SOCKS proxy is asked for. */
  readonly socks?: SocksRequest;
  /** Absent for http. */
  readonly tls?: Verified;
  readonly method: string;
  /** The request in HTTP/2; absent where it is not spoken. */
  readonly http2?: Http2Request;
  readonly request: Readonly<Record<'new' | 'reused', string>>;
}

/** An http or https URL; any other text is a `UsageError`. */
export function httpAddress(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError([`${text} is not a URL that begins with http:// or https://`]);
}

/** The way of this request, by the options of its target. */
export function destination(hop: Hop, target: Omit<Target, 'url' | 'headers'>): Destination {
  const { url } = hop;
  const proxy = target.unixSocket === undefined ? proxyFor(url, target) : undefined;
  const isSocks = proxy !== undefined && proxy.url.protocol !== 'http:';
  const isSecure = url.protocol === 'https:';
  const plainProxy = isSecure || isSocks ? undefined : proxy;
  const { method, fields, data } = asked(hop, target, plainProxy);
  const path = `${plainProxy === undefined ? '' : url.origin}${url.pathname}${url.search}`;
  const request = (connection: string) =>
    requestText(`${method} ${path}`, fields(connection), hop.headers) + (data ?? '');
  const isHttp2 = target.http2 === true;
  return {
    ...wayThrough(url, target, isSocks ? { socks: proxy } : { http: proxy }),
    proxied: proxy !== undefined,
    method,
    request: { new: request('close'), reused: request('keep-alive') },
    ...(isHttp2 ? { http2: http2Request(method, url, { own: fields(''), given: hop.headers, data }) } : {}),
  };
}

interface Proxies {
  readonly http?: TargetProxy | undefined;
  readonly socks?: TargetProxy;
}

function wayThrough(url: URL, target: Omit<Target, 'url' | 'headers'>, { http, socks }: Proxies) {
  const { ca, insecure, identity, http2, unixSocket } = target;
  const tls = present<Verified>({ name: nameIn(url), ca, insecure, identity, http2 });
  const isSecure = url.protocol === 'https:';
  return present<Pick<Destination, 'peer' | 'tunnel' | 'socks' | 'tls'>>({
    peer:
      unixSocket === undefined
        ? peer((socks ?? http)?.url ?? url, target)
        : { name: unixSocket, port: 0, path: unixSocket },
    tunnel: isSecure && http !== undefined ? tunnelTo(url, http.headers) : undefined,
    socks: socks === undefined ? undefined : socksRequest(socks.url, socksEnd(url, target)),
    tls: isSecure ? tls : undefined,
  });
}

/** The method, the headers of our own and the body of a request. */
function asked(
  { url, isWithoutData }: Hop,
  target: Pick<Target, 'method' | 'data' | 'compressed'>,
  proxy: TargetProxy | undefined,
) {
  const data = isWithoutData ? undefined : target.data;
  const { method = data === undefined ? 'GET' : 'POST' } = target;
  const fields = (connection: string): readonly Header[] => [
    { name: 'Host', value: url.host },
    ...(proxy?.headers ?? []),
    userAgent,
    { name: 'Accept', value: '*/*' },
    ...(target.compressed === true ? [{ name: 'Accept-Encoding', value: acceptedCodings }] : []),
    { name: 'Connection', value: connection },
    ...(data === undefined ? [] : dataFields(data)),
  ];
  return { method, fields, data };
}

/** As with curl's -d. */
const dataFields = (data: string): readonly Header[] => [
  { name: 'Content-Length', value: String(Buffer.byteLength(data)) },
  { name: 'Content-Type', value: 'application/x-www-form-urlencoded' },
];

/** Without the members that are undefined. */
const present = <T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

/** Where a SOCKS proxy is to connect to. */
function socksEnd(url: URL, { resolve }: Pick<Target, 'resolve'>): Pick<SocksRequest, 'name' | 'port' | 'address'> {
  const name = nameIn(url);
  const address = isIP(name) === 0 ? resolvedAddresses(url, resolve)?.[0] : name;
  return { name, port: portOf(url), ...(address === undefined ? {} : { address }) };
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
 * The head of a request, as its bytes: the headers given replace its own of the same name. `Host` stays the first (RFC
 * 9110, section 7.2), and there is one of it; the others that were given are the last, as with curl.
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
