import type { Target } from '../../host/host.ts';
import { proxyFor } from '../../host/probe/target-proxy.ts';
import { usualRedirects } from '../../settings/request-options.ts';
import type { LogHeader } from '../downtime-log/downtime-log.ts';
import type { OwnSettings } from '../downtime-log/own-settings.ts';

/** What a monitor does, of which its log tells the names alone. */
interface Told extends Omit<LogHeader, 'targets' | 'options' | 'control' | 'own'> {
  readonly targets: readonly Target[];
  readonly own?: Readonly<Record<string, OwnSettings & { readonly timeoutSeconds?: number }>>;
  readonly control?: Target;
}

/**
 * The first line of the log says by which settings it was made. Its timeout is the longest: within it readers sort the
 * lines.
 */
export function headerOf({ targets, control, own, ...rest }: Told): LogHeader {
  const urls = targets.map(({ url }) => url);
  const options = Object.fromEntries(targets.map((target) => [target.url, optionNames(target)]));
  const timeouts = Object.values(own ?? {}).map(({ timeoutSeconds = 0 }) => timeoutSeconds);
  return {
    ...rest,
    timeoutSeconds: Math.max(rest.timeoutSeconds, ...timeouts),
    targets: urls,
    options,
    ...(own === undefined ? {} : { own }),
    ...(control === undefined ? {} : { control: control.url }),
  };
}

/**
 * The names, as of curl's options, of what makes a target's requests differ from a plain GET. No value is among them.
 */
function optionNames(target: Target): readonly string[] {
  const { compressed, data, http2, identity, unixSocket } = target;
  const { headers = [], method, resolve = [], ca, insecure, family, redirects, bodyContains } = target;
  const given: Readonly<Record<string, boolean>> = {
    header: headers.length > 0,
    request: method !== undefined && method !== 'HEAD',
    head: method === 'HEAD',
    data: data !== undefined,
    compressed: compressed === true,
    http2: http2 === true,
    cert: identity !== undefined,
    'unix-socket': unixSocket !== undefined,
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
