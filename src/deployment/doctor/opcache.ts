import { chosenDuration } from '../../figures/figures.js';
import { findServers } from '../opcache/find-servers.ts';
import type { Means } from '../opcache/means.ts';
import { findMeans } from '../opcache/refresh.ts';
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

/** A health check is not answered from it as long as its key has the query. */
export async function cache({ host }: Examined): Promise<readonly Check[]> {
  const { caches } = await findServers(host.files);
  return caches.map(({ directive, zone, hasQuery }) =>
    hasQuery
      ? good('cache', `nginx has ${directive} ${zone}: health checks ask once more, with a query of their own`)
      : bad(
          'cache',
          `nginx has ${directive} ${zone}, and its key leaves out the query: a health check may be answered from it, with the page of the commit before. Switch it off for the health address (${directive} off), or put $request_uri into ${directive}_key.`,
        ),
  );
}
