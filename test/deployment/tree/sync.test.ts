import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import type { Host } from '../../../src/host/host.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

/** What had happened when the file system was synced: artisan's calls, and whether success was said already. */
function watched(site: Site): { readonly host: Host; readonly seen: { artisan: number; said: boolean }[] } {
  const seen: { artisan: number; said: boolean }[] = [];
  const host = quietHost();
  const run: Host['run'] = async (command, options) => {
    if (command[0] !== 'sync') return host.run(command, options);
    const artisan = site.artisanCalls().length;
    const result = await host.run(command, options);
    seen.push({ artisan, said: /\[(SUCCESS|ROLLBACK)\]/.test(site.log()) });
    return result;
  };
  return { host: { ...host, run }, seen };
}

test('the file system is synced after the caches are built and before a commit is called verified', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  const { host, seen } = watched(site);
  assert.equal((await deploy(host, site.settings())).state, 'verified');
  assert.deepEqual(seen, [{ artisan: 7, said: false }]);
});

test('the file system is synced before a commit counts as rolled back', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two', status: '500' });
  const { host, seen } = watched(site);
  assert.equal((await deploy(host, site.settings())).state, 'rolled-back');
  assert.deepEqual(seen.at(-1), { artisan: 10, said: false });
});
