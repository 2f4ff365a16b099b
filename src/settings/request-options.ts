import * as z from 'zod';
import { isTextOrPattern } from '../host/probe/body-holds.ts';
import { parseHeader, parseProxy, parseResolve } from '../host/probe/curl-words.ts';
import type { Header, Resolved, Target } from '../host/probe/target.ts';

/** How an address is asked where a plain GET is not enough: the keys of a target, with curl's names and meanings. */
export interface RequestOptions {
  readonly headers?: readonly Header[];
  readonly request?: string;
  readonly head?: boolean;
  readonly data?: readonly string[];
  readonly compressed?: boolean;
  readonly http2?: boolean;
  readonly cert?: string;
  readonly key?: string;
  readonly unixSocket?: string;
  readonly resolve?: readonly Resolved[];
  readonly cacert?: string;
  readonly insecure?: boolean;
  readonly ipv4?: boolean;
  readonly ipv6?: boolean;
  readonly proxy?: string;
  readonly location?: boolean;
  readonly maxRedirs?: number;
  readonly bodyContains?: string;
}

/** The number of redirects that -L follows without --max-redirs, as with curl. */
export const usualRedirects = 50;

/** No mistake repeats a value: it may be the secret of whoever wrote it. */
const headers = z
  .union([z.record(z.string(), z.string()), z.array(z.string())], {
    error: "is neither a list of 'Name: value' nor an object of texts by name",
  })
  .transform((given, context): readonly Header[] => {
    const read = Array.isArray(given)
      ? given.map(parseHeader)
      : Object.entries(given).map(([name, value]) => parseHeader(`${name}${value === '' ? ';' : `: ${value}`}`));
    const good = read.filter((header) => header !== undefined);
    if (good.length === read.length) return good;
    const places = read.flatMap((header, index) => (header === undefined ? [index + 1] : []));
    const message = `has an entry that is not 'Name: value' in one line (number ${places.join(', ')})`;
    context.issues.push({ code: 'custom', message, input: undefined });
    return z.NEVER;
  });
const resolve = z.string().transform((text, context): Resolved => {
  const entry = parseResolve(text);
  if (entry !== undefined) return entry;
  const message = `is '${text}', which is not HOST:PORT:ADDRESS[,ADDRESS…]`;
  context.issues.push({ code: 'custom', message, input: text });
  return z.NEVER;
});
/** The address may hold a password. */
const proxy = z.string({ error: 'is not text' }).transform((text, context) => {
  const address = text === '' ? '' : parseProxy(text);
  if (address !== undefined) return address;
  context.issues.push({
    code: 'custom',
    message: 'is not the http://, socks5:// or socks5h:// address of a proxy',
    input: undefined,
  });
  return z.NEVER;
});

export const requestOptions = {
  /** Values are written nowhere. */
  headers: headers.exactOptional(),
  /** The method. */
  request: z
    .string()
    .refine((text) => /^[\w!#$%&'*+.^`|~-]+$/.test(text) && text !== 'CONNECT', { error: 'is not a method of HTTP' })
    .exactOptional(),
  /** The head alone is asked for. */
  head: z.boolean().exactOptional(),
  /** The body, as of a form; `@FILE` is what a file holds. Several are joined by `&`. */
  data: z.array(z.string()).exactOptional(),
  /** Whether a compressed body is asked for. */
  compressed: z.boolean().exactOptional(),
  /** Whether HTTP/2 is spoken; to an https:// address where the server chooses it. */
  http2: z.boolean().exactOptional(),
  /** A file with the client's certificate, and one with its key where that file has none. */
  cert: z.string().min(1).exactOptional(),
  key: z.string().min(1).exactOptional(),
  /** The path of a socket that is connected to. */
  unixSocket: z.string().min(1).exactOptional(),
  /** `HOST:PORT:ADDRESS[,ADDRESS…]`: where to connect for that host and port, without a look-up. */
  resolve: z.array(resolve).exactOptional(),
  /** A file with the authorities that the certificate has to come from, instead of the system's. */
  cacert: z.string().min(1).exactOptional(),
  /** Whether any certificate is accepted. */
  insecure: z.boolean().exactOptional(),
  /** Whether only addresses of IPv4, or of IPv6, are connected to. */
  ipv4: z.boolean().exactOptional(),
  ipv6: z.boolean().exactOptional(),
  /** An `http://`, `socks5://` or `socks5h://` address; empty for none, whatever the environment names. */
  proxy: proxy.exactOptional(),
  /** Whether redirects are followed. */
  location: z.boolean().exactOptional(),
  /** The largest number of redirects; -1 for no limit. */
  maxRedirs: z.int().min(-1).exactOptional(),
  /** Text that the body has to contain, or `/regular expression/`. */
  bodyContains: z
    .string()
    .min(1)
    .refine((text) => isTextOrPattern(text), { error: 'is not a regular expression' })
    .exactOptional(),
};

/** What stands against each other in the options, one sentence without their place. */
export function contradictionIn({ ipv4, ipv6, head, data, key, cert }: Partial<Record<keyof RequestOptions, unknown>>) {
  if (ipv4 === true && ipv6 === true) return 'ipv6 stands beside ipv4, which leaves no address';
  if (head === true && data !== undefined) return 'head stands beside data, and a HEAD has no body';
  return key !== undefined && cert === undefined ? 'key stands without cert, the certificate that it is of' : undefined;
}

/** The options as a target of the prober has them, without what is in files. */
export function targetOptions(options: RequestOptions): Omit<Target, 'url'> {
  const { headers: given, request, head, resolve: at, insecure, proxy: by, bodyContains } = options;
  const { compressed, http2, unixSocket } = options;
  return present<Omit<Target, 'url'>>({
    headers: given,
    method: request ?? (head === true ? 'HEAD' : undefined),
    compressed,
    http2,
    unixSocket,
    resolve: at,
    insecure,
    family: familyIn(options),
    proxy: by === '' ? undefined : by,
    redirects: redirectsIn(options),
    bodyContains,
  });
}

export function familyIn({ ipv4, ipv6 }: RequestOptions): 4 | 6 | undefined {
  if (ipv4 === true) return 4;
  return ipv6 === true ? 6 : undefined;
}

/** How many redirects are followed; undefined if none. */
export function redirectsIn({ location, maxRedirs = usualRedirects }: RequestOptions): number | undefined {
  if (location !== true) return undefined;
  return maxRedirs === -1 ? Number.MAX_SAFE_INTEGER : maxRedirs;
}

/** Without the members that are undefined. */
function present<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

/**
 * The options without the values of headers, without data, and without what stands in front of the proxy's host: they
 * may be secret.
 */
export function withoutSecrets<T extends RequestOptions>(options: T): T {
  const { headers: given, proxy: by, data } = options;
  return {
    ...options,
    ...(data === undefined ? {} : { data: data.map((one) => (one.startsWith('@') ? one : '')) }),
    ...(given === undefined ? {} : { headers: given.map(({ name }) => ({ name })) }),
    ...(by === undefined ? {} : { proxy: by.replace(/\/\/.*@/s, '//') }),
  };
}
