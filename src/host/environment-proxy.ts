import { BlockList, isIP } from 'node:net';

/** A forward proxy, and where it is from. */
export interface ForwardProxy {
  /** May hold a password: it is never printed. */
  readonly url: string;
  /** `HTTPS_PROXY`, or `proxy-url`. */
  readonly name: string;
}
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that the environment names for this URL, by the rules of Go's `http.ProxyFromEnvironment`, which kubectl
 * follows: HTTPS_PROXY or HTTP_PROXY by the URL's scheme, in capitals or not, unless NO_PROXY names the host. Loopback
 * never goes by a proxy. `others` count where neither is set.
 */
export function environmentProxy(
  url: URL,
  environment: Environment,
  others: readonly string[] = [],
): ForwardProxy | undefined {
  const variable = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const name = [variable, variable.toLowerCase(), ...others].find((one) => environment[one]);
  const value = name === undefined ? undefined : environment[name];
  if (name === undefined || value === undefined || isLoopback(hostOf(url))) return undefined;
  if (goesDirect(url, environment)) return undefined;
  return { url: value.includes('://') ? value : `http://${value}`, name };
}

/** curl goes by it for any scheme, and Go does not. */
export const anyProxy = ['ALL_PROXY', 'all_proxy'];
const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]);

/** The variables of the environment that say which proxy to go by, if any is set. */
export function proxyVariables(environment: Environment): Readonly<Record<string, string>> | undefined {
  const set = variables.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : []));
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

/** Whether NO_PROXY names the URL's host. */
export function goesDirect(url: URL, environment: Environment): boolean {
  const exceptions = (environment.NO_PROXY || environment.no_proxy || '').split(',');
  return exceptions.some((text) => excepts(text.trim().toLowerCase(), url));
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  return host === 'localhost' || isIn(loopback, host);
}

function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * One entry of NO_PROXY: `*`, an address, a range as 10.0.0.0/8, a domain with all below it, or `.domain` for those
 * below it alone; each may have a port.
 */
function excepts(text: string, url: URL): boolean {
  if (text === '') return false;
  if (text === '*') return true;
  const host = hostOf(url);
  const range = /^(.+)\/(\d+)$/.exec(text);
  if (range !== null) return isInRange(host, range[1] ?? '', Number(range[2]));
  const [, pattern = text, port] = /^(\[.*\]|[^:]*):(\d+)$/.exec(text) ?? [];
  if (port !== undefined && port !== portOf(url)) return false;
  const name = pattern.replace(/^\[|\]$/g, '').replace(/^\*(?=\.)/, '');
  return name.startsWith('.') ? host.endsWith(name) : host === name || host.endsWith(`.${name}`);
}

function isInRange(host: string, network: string, bits: number): boolean {
  const family = isIP(network);
  if (family === 0 || bits > (family === 4 ? 32 : 128)) return false;
  const range = new BlockList();
  range.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6');
  return isIn(range, host);
}
