import { anyProxy, environmentProxy, goesDirect } from '../environment-proxy.ts';
import { UsageError } from '../errors.ts';
import { basicCredentials } from './basic-credentials.ts';
import { resolvedAddresses } from './resolved.ts';
import type { Header, Target } from './target.ts';

/** The forward proxy of a request. */
export interface TargetProxy {
  readonly url: URL;
  /** Those that only the proxy gets. */
  readonly headers: readonly Header[];
}

/**
 * The target's own proxy, or else the environment's, unless NO_PROXY names the host. What has an address of its own
 * (`resolve`) does not go by the environment's. A proxy of a scheme that is not known is a `UsageError`.
 */
export function proxyFor(
  url: URL,
  { proxy, resolve, environment = {} }: Pick<Target, 'proxy' | 'resolve' | 'environment'>,
): TargetProxy | undefined {
  if (proxy !== undefined) return goesDirect(url, environment) ? undefined : asked(proxy, 'proxy');
  if (resolvedAddresses(url, resolve) !== undefined) return undefined;
  const found = environmentProxy(url, environment, anyProxy);
  return found === undefined ? undefined : asked(found.url, found.name);
}

/** As with curl. */
const socksPort = '1080';

/** The address may hold a password: it is never printed. */
function asked(text: string, name: string): TargetProxy {
  const url = URL.parse(text);
  if (url === null || !/^(http|socks5h?):$/.test(url.protocol))
    throw new UsageError([`${name} is not an http://, socks5:// or socks5h:// address, and no other proxy is known.`]);
  if (url.protocol !== 'http:') {
    url.port ||= socksPort;
    return { url, headers: [] };
  }
  const value = basicCredentials(url);
  return { url, headers: value === undefined ? [] : [{ name: 'Proxy-Authorization', value }] };
}
