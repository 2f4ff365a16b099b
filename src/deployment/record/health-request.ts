import { OperationError } from '../../host/errors.ts';
import type { Files, Host, HttpRequest, HttpResponse, TlsOptions } from '../../host/host.ts';
import { type Hop, redirected } from '../../host/probe/redirect.ts';
import { resolvedAddresses } from '../../host/probe/resolved.ts';
import type { Header } from '../../host/probe/target.ts';
import { readAuthorities } from '../../host/read-authorities.ts';
import { familyIn, type RequestOptions, redirectsIn } from '../../settings/request-options.ts';
import type { HealthSettings } from '../settings/settings.ts';

export type HealthRules = RequestOptions & Pick<HealthSettings, 'timeout'>;

/** Asks the address, and where it leads if redirects are followed; resolves with the last response. */
export async function ask(
  host: Pick<Host, 'http' | 'files'>,
  address: string,
  rules: HealthRules,
  signal?: AbortSignal,
): Promise<HttpResponse> {
  const first = firstHop(address, rules);
  const tls = await tlsOf(host.files, rules);
  let hop = first;
  for (let left = redirectsIn(rules) ?? 0; ; left--) {
    const response = await host.http(requestFor(hop, rules, tls), signal);
    const next = left === 0 ? undefined : redirected(first, hop.url, response.status, response.headers.location);
    if (next === undefined) return response;
    response.discard();
    hop = next;
  }
}

/** No cached answer is asked for, and a name and password in the address become the header that they stand for (RFC 7617). */
function firstHop(address: string, { headers = [] }: RequestOptions): Hop {
  const url = new URL(address);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  const own: readonly Header[] = [
    { name: 'cache-control', value: 'no-cache' },
    { name: 'user-agent', value: 'holdfast' },
    ...(credentials === ':'
      ? []
      : [{ name: 'authorization', value: `Basic ${Buffer.from(credentials).toString('base64')}` }]),
  ];
  const given = new Set(headers.map(({ name }) => name.toLowerCase()));
  return { url, headers: [...own.filter(({ name }) => !given.has(name)), ...headers] };
}

function requestFor({ url, headers }: Hop, rules: HealthRules, tls: TlsOptions | undefined): HttpRequest {
  const family = familyIn(rules);
  const addresses = rules.proxy ? undefined : resolvedAddresses(url, rules.resolve);
  return {
    method: 'GET',
    ...(rules.request === undefined ? {} : { customMethod: rules.request }),
    url: url.href,
    headers: fieldsOf(headers),
    timeoutSeconds: rules.timeout,
    ...(addresses === undefined ? {} : { addresses }),
    ...(family === undefined ? {} : { family }),
    ...(rules.proxy === undefined ? {} : { proxy: { url: rules.proxy, name: 'health.proxy' } }),
    ...(tls === undefined ? {} : { tls }),
  };
}

/** Names in lower case; several values of one name are a list (RFC 9110, section 5.3). */
function fieldsOf(headers: readonly Header[]): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    if (value !== undefined) fields[key] = fields[key] === undefined ? value : `${fields[key]}, ${value}`;
  }
  return fields;
}

/** With a file of authorities no other authority is trusted. */
async function tlsOf(
  files: Pick<Files, 'read'>,
  { cacert, insecure }: RequestOptions,
): Promise<TlsOptions | undefined> {
  if (cacert === undefined && insecure !== true) return undefined;
  const read = cacert === undefined ? {} : await readAuthorities(files, cacert);
  if ('mistake' in read)
    throw new OperationError({
      tried: 'Reading the authorities of',
      on: 'health.cacert',
      reason: `it ${read.mistake}`,
    });
  return { ...read, ...(insecure === true ? { rejectUnauthorized: false } : {}) };
}
