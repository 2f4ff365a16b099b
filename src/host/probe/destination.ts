import { isIP } from 'node:net';
import { UsageError } from '../errors.ts';

/** The address of a target's requests, and their bytes. */
export interface Destination {
  /** A name, or an address without the brackets of IPv6. */
  readonly name: string;
  readonly isAddress: boolean;
  readonly port: number;
  readonly secure: boolean;
  readonly request: Readonly<Record<'new' | 'reused', string>>;
}

/** The destination of an http or https URL; any other text is a `UsageError`. */
export function destination(text: string): Destination {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError([`${text} is not a URL that begins with http:// or https://`]);
  const secure = url.protocol === 'https:';
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const request = (connection: string) =>
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nUser-Agent: holdfast\r\nAccept: */*\r\nConnection: ${connection}\r\n\r\n`;
  return {
    name,
    isAddress: isIP(name) !== 0,
    port: Number(url.port) || (secure ? 443 : 80),
    secure,
    request: { new: request('close'), reused: request('keep-alive') },
  };
}
