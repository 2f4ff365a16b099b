import { OperationError } from '../../host/errors.ts';
import type { Files, Host, HttpResponse, Target } from '../../host/host.ts';
import { basicCredentials } from '../../host/probe/basic-credentials.ts';
import { type Hop, redirected } from '../../host/probe/redirect.ts';
import type { Header } from '../../host/probe/target.ts';
import { readRequestFiles } from '../../host/read-request-files.ts';
import { type RequestOptions, redirectsIn, targetOptions } from '../../settings/request-options.ts';
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
  const how = await targetOf(host.files, rules);
  let hop = first;
  for (let left = redirectsIn(rules) ?? 0; ; left--) {
    const { url, headers } = hop;
    const timeoutSeconds = rules.timeout;
    const request = { method: 'GET', url: url.href, asked: { ...how, headers }, timeoutSeconds } as const;
    const response = await host.http(request, signal);
    const next = left === 0 ? undefined : redirected(first, hop, response.status, response.headers.location);
    if (next === undefined) return response;
    response.discard();
    hop = next;
  }
}

/** The address with a query that no cache has an answer for: nginx has the query in its usual keys. */
export function withOwnQuery(address: string, { wallAt, monotonicSeconds }: Host['clock']): string {
  const url = new URL(address);
  const moment = `${wallAt().toString(36)}${Math.floor(monotonicSeconds() * 1e6).toString(36)}`;
  url.search = `${url.search === '' ? '?' : `${url.search}&`}holdfast=${moment}`;
  return url.href;
}

/**
 * No cached answer is asked for, and a name and password in the address become the header that they stand for (RFC
 * 7617).
 */
function firstHop(address: string, { headers = [] }: RequestOptions): Hop {
  const url = new URL(address);
  const credentials = basicCredentials(url);
  url.username = '';
  url.password = '';
  const own: readonly Header[] = [
    ...(credentials === undefined ? [] : [{ name: 'Authorization', value: credentials }]),
    { name: 'Cache-Control', value: 'no-cache' },
  ];
  const given = new Set(headers.map(({ name }) => name.toLowerCase()));
  return { url, headers: [...own.filter(({ name }) => !given.has(name.toLowerCase())), ...headers] };
}

/** With a file of authorities no other authority is trusted. */
async function targetOf(files: Pick<Files, 'read'>, rules: RequestOptions): Promise<Omit<Target, 'url' | 'headers'>> {
  const read = await readRequestFiles(files, rules);
  if ('mistakes' in read) {
    const [option, mistake] = read.mistakes[0] ?? [];
    throw new OperationError({
      tried: 'Reading the settings of the health check',
      on: `health.${option}`,
      reason: `it ${mistake}`,
    });
  }
  return { ...targetOptions(rules), ...read.held, ...(rules.proxy === '' ? { environment: {} } : {}) };
}
