import type { Target } from '../../host/host.ts';
import { proxyFor } from '../../host/probe/target-proxy.ts';
import { usualRedirects } from '../../settings/request-options.ts';

/** The names, as of curl's options, of what makes a target's requests differ from a plain GET. No value is among them. */
export function optionNames(target: Target): readonly string[] {
  const { headers = [], method, resolve = [], ca, insecure, family, redirects, bodyContains } = target;
  const given: Readonly<Record<string, boolean>> = {
    header: headers.length > 0,
    request: method !== undefined,
    resolve: resolve.length > 0,
    cacert: ca !== undefined,
    insecure: insecure === true,
    ipv4: family === 4,
    ipv6: family === 6,
    proxy: proxyFor(new URL(target.url), target) !== undefined,
    location: redirects !== undefined,
    'max-redirs': redirects !== undefined && redirects !== usualRedirects,
    'body-contains': bodyContains !== undefined,
  };
  return Object.keys(given).filter((name) => given[name]);
}
