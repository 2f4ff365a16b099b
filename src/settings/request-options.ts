import * as z from 'zod';
import { isTextOrPattern } from '../host/probe/body-holds.ts';

/**
 * How an address is asked where a plain GET is not enough: the keys of a target in settings, with curl's names. Values of headers are
 * secrets of whoever wrote them, and are written nowhere.
 */
export const requestOptions = {
  headers: z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/),
      z.string({ error: 'is not text' }).regex(/^[^\r\n\0]*$/, { error: 'holds a line break' }),
    )
    .exactOptional(),
  /** `HOST:PORT:ADDRESS`: where to connect for that host and port, without a look-up (curl --resolve). */
  resolve: z
    .array(z.string().refine((text) => parseResolve(text) !== undefined, { error: 'is not HOST:PORT:ADDRESS' }))
    .exactOptional(),
  /** A file with the authorities that the certificate has to come from, in the place of the system's. */
  cacert: z.string().min(1).exactOptional(),
  /** Whether any certificate is accepted. */
  insecure: z.boolean().exactOptional(),
  /** Text that the body has to contain, or `/regular expression/`. */
  bodyContains: z
    .string()
    .min(1)
    .refine((text) => isTextOrPattern(text), { error: 'is not a regular expression' })
    .exactOptional(),
};
export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly resolve?: readonly string[];
  readonly cacert?: string;
  readonly insecure?: boolean;
  readonly bodyContains?: string;
}

/** The address to connect to for this URL; undefined where its name is looked up. */
export function addressFor({ resolve = [] }: RequestOptions, url: string): string | undefined {
  const { hostname, port, protocol } = new URL(url);
  const asked = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return resolve.map(parseResolve).find((entry) => entry?.host.toLowerCase() === hostname && entry.port === asked)
    ?.address;
}

function parseResolve(text: string) {
  const [, host, port, address] = /^([^\s:]+):(\d{1,5}):\[?([\d.]+|[\da-f:.]*:[\da-f:.]*)\]?$/i.exec(text) ?? [];
  return host === undefined || port === undefined || address === undefined ? undefined : { host, port, address };
}
