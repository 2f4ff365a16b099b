import { isIP } from 'node:net';
import type { Header, Resolved } from './target.ts';

/**
 * `Name: value`, which is sent as it is written; `Name;` is one without a value, and `Name:` leaves out the request's
 * own. Undefined for any other text.
 */
export function parseHeader(text: string): Header | undefined {
  const [, name, mark, value = ''] = /^([\w!#$%&'*+.^`|~-]+)([:;])[ \t]*([^\r\n\0]*)$/.exec(text) ?? [];
  if (name === undefined || (mark === ';' && value !== '')) return undefined;
  if (mark === ';') return { name, value: '' };
  if (value === '') return { name };
  const read = { name, value: value.trimEnd() };
  return text === `${name}: ${read.value}` ? read : { ...read, line: text };
}

/**
 * `HOST:PORT:ADDRESS[,ADDRESS…]`, where HOST may be `*` and an address of IPv6 may stand in brackets. Undefined for any
 * other text.
 */
export function parseResolve(text: string): Resolved | undefined {
  const [, host, port, addresses] = /^\+?(\*|\[[\da-f:.]+\]|[^\s:[\]]+):(\d{1,5}):(\S+)$/i.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 0xffff) return undefined;
  const read = addresses?.split(',').map((address) => address.replace(/^\[(.*)\]$/, '$1')) ?? [];
  if (read.some((address) => isIP(address) === 0)) return undefined;
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port), addresses: read };
}

/** What curl takes where the address of a proxy has no port. */
const proxyPort = '1080';

/**
 * The `http://`, `socks5://` or `socks5h://` address of a proxy; its scheme and its port may be missing. Undefined for
 * any other text.
 */
export function parseProxy(text: string): string | undefined {
  const [, scheme = 'http', rest = ''] = /^(?:([a-z\d]+):\/\/)?(.*)$/is.exec(text) ?? [];
  const authority = rest.replace(/\/$/, '');
  const url = URL.parse(`http://${authority}`);
  const known = /^(http|socks5h?)$/i.exec(scheme)?.[0].toLowerCase();
  if (known === undefined || url === null || url.pathname !== '/') return undefined;
  return `${known}://${authority}${/:\d+$/.test(authority) ? '' : `:${proxyPort}`}`;
}
