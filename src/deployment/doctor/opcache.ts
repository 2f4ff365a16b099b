import { chosenDuration } from '../../figures/figures.js';
import { findServers } from '../opcache/find-servers.ts';
import type { NginxCache } from '../opcache/find-web-servers.ts';
import type { Means } from '../opcache/means.ts';
import { findMeans } from '../opcache/refresh.ts';
import { statusByPhp } from '../opcache/status-by-php.ts';
import { servedCheckout } from '../releases/live-release.ts';
import { askOnce } from '../verify/baseline.ts';
import { bad, type Check, type Examined, good, warned } from './check.ts';

/** How php-fpm will be made to run the new code. */
export async function opcache({ host, settings, checkout }: Examined): Promise<readonly Check[]> {
  const visit = () => askOnce(host, settings);
  const means = await findMeans(host, settings, await servedCheckout({ host, settings, checkout }), { visit });
  return [opcacheCheck(means), ...(means.warnings ?? []).map((warning) => warned('opcache', warning))];
}

function opcacheCheck(means: Means): Check {
  switch (means.by) {
    case 'not-needed':
      return good('opcache', means.because);
    case 'fastcgi':
      return good('opcache', `reset by FastCGI at ${means.caches.flatMap(({ addresses }) => addresses).join(', ')}`);
    case 'command':
      return good('opcache', 'reset by the command opcache.reload');
    case 'waiting':
      return good('opcache', `every deploy waits ${chosenDuration(means.seconds)}: ${means.because}`);
    case 'impossible':
      return bad('opcache', means.because);
  }
}

/**
 * Whether a health check may be answered from a cache: not where its key has the query, and not where php-fpm itself
 * can be asked as well.
 */
export async function cache({ host, settings, checkout }: Examined): Promise<readonly Check[]> {
  const servers = await findServers(host.files);
  const { directory } = await servedCheckout({ host, settings, checkout });
  const [url] = settings.healthUrls;
  // Asking php-fpm starts the application, which may write its manifests.
  const isAsked = url !== undefined && servers.caches.some(({ hasQuery }) => !hasQuery);
  const status = isAsked ? await statusByPhp(host, servers, directory, url, settings.health) : undefined;
  return servers.caches.map((each) => cacheCheck(each, status === 200));
}

function cacheCheck({ directive, zone, hasQuery }: NginxCache, phpAnswers: boolean): Check {
  const there = `nginx has ${directive} ${zone}`;
  if (hasQuery) return good('cache', `${there}: health checks ask once more, with a query of their own`);
  const without = `${there}, and its key leaves out the query`;
  if (phpAnswers) return good('cache', `${without}: health checks ask php-fpm itself as well`);
  return bad(
    'cache',
    `${without}: a health check may be answered from it, with the page of the commit before. Switch it off for the health address (${directive} off), put $request_uri into ${directive}_key, or set health.proof.`,
  );
}
