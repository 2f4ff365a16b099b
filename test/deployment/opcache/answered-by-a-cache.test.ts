import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCheckout } from '../../../src/deployment/checkout/open-checkout.ts';
import { deploy } from '../../../src/deployment/deploy.ts';
import { examine } from '../../../src/deployment/doctor.ts';
import { freePort } from '../../support/free-port.ts';
import { buildPhpSite } from '../support/foreign-pools.ts';
import { needsPhpServer } from '../support/php-server.ts';
import { quietHost } from '../support/quiet-host.ts';

/** nginx's cache of answers of php-fpm, which says nothing of itself. */
const cacheWithKey = (key: string) => (folder: string) => ({
  http: `fastcgi_cache_path ${join(folder, 'cache')} keys_zone=PAGES:1m;`,
  more: `fastcgi_cache PAGES; fastcgi_cache_valid 200 10m; fastcgi_cache_key ${key};`,
});

for (const [what, key, doctorSays] of [
  ['has the query in its key', '$host$request_uri', /ask once more, with a query of their own/],
  ['leaves the query out of its key', '$host$uri', /ask php-fpm itself as well/],
] as const)
  test(`nginx’s fastcgi_cache that ${what} answers no health check: a commit that throws is rolled back, a good one verified`, async (t) => {
    if (!needsPhpServer(t)) return;
    const site = await buildPhpSite(t, { nginx: cacheWithKey(key) });
    const settings = site.settings({ preset: 'php' });
    const doctor = await examine(quietHost(), settings, await openCheckout(quietHost(), settings));
    assert.match(doctor.map(({ said }) => said).join('\n'), doctorSays);
    site.push({ 'version.php': "<?php throw new Exception('broken');" });
    const broken = await deploy(quietHost(), settings);
    assert.match(await site.page(), /one/, 'visitors get it from the cache all the time');
    assert.equal(broken.state, 'rolled-back', site.log());
    if (key.endsWith('$uri'))
      assert.match(
        String(broken.because),
        /php-fpm itself answers 500: the 200 came from nginx's fastcgi_cache PAGES$/,
      );
    assert.equal((await site.deployVersion('two', { preset: 'php' })).state, 'verified', site.log());
  });

for (const [what, key, doctorSays] of [
  ['has nginx’s own key', '', /nginx has proxy_cache FRONT: health checks ask once more, with a query of their own/],
  ['leaves the query out of its key', 'proxy_cache_key $host$uri;', /proxy_cache FRONT, .*ask php-fpm itself as well/],
] as const)
  test(`nginx’s proxy_cache that ${what} answers no health check, and doctor names it`, async (t) => {
    if (!needsPhpServer(t)) return;
    const port = await freePort();
    const front = (folder: string) => ({
      http: `proxy_cache_path ${join(folder, 'front')} keys_zone=FRONT:1m;
        server { listen 127.0.0.1:${port}; proxy_cache FRONT; proxy_cache_valid 200 10m; ${key}
          location / { proxy_pass http://unix:${join(folder, 'inner')}; } }`,
      more: `listen unix:${join(folder, 'inner')};`,
    });
    const site = await buildPhpSite(t, { nginx: front });
    const settings = { ...site.settings({ preset: 'php' }), healthUrls: [`http://127.0.0.1:${port}/`] };
    const doctor = await examine(quietHost(), settings, await openCheckout(quietHost(), settings));
    assert.match(doctor.map(({ said }) => said).join('\n'), doctorSays);
    site.push({ 'version.php': "<?php throw new Exception('broken');" });
    assert.equal((await deploy(quietHost(), settings)).state, 'rolled-back', site.log());
    assert.match(await (await fetch(settings.healthUrls[0] ?? '')).text(), /one/, 'visitors get it from the cache');
    site.push({ 'version.php': "<?php return 'two';" });
    assert.equal((await deploy(quietHost(), settings)).state, 'verified', site.log());
  });

test('where php-fpm itself cannot be asked, the log says before the reset that an answer may be a cache’s', async (t) => {
  if (!needsPhpServer(t)) return;
  const site = await buildPhpSite(t, { nginx: cacheWithKey('$uri'), refuses: true });
  assert.equal((await site.deployVersion('two', { preset: 'php' })).state, 'verified');
  const warning = site.log().indexOf('whose key leaves out the query: nothing proves that an answer of 200');
  assert.ok(warning > 0 && warning < site.log().indexOf('New commit: '), site.log());
});
