import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { deploy } from '../../../src/deployment/deploy.ts';
import type { LaravelSite } from './laravel.ts';
import { quietHost } from './quiet-host.ts';

/**
 * Asks for every page, so that opcache holds the present code and has just looked at its files. It keeps none that is
 * younger than two seconds.
 */
export async function warm(site: LaravelSite): Promise<void> {
  const code = ['app', 'bootstrap', 'config', 'public'].map((name) => join(site.app, name));
  const touch = (folders: readonly string[], date: string) =>
    execFileSync('find', [...folders, '-name', '*.php', '-exec', 'touch', `--date=${date}`, '{}', '+']);
  touch([join(site.app, 'resources')], '2 minutes ago');
  touch([...code, join(site.app, 'storage/framework/views')], '1 minute ago');
  for (let request = 0; request < 12; request++) await Promise.all([site.get('/'), site.get('/health')]);
}

/**
 * Broken commits with the files requested a moment before; every second one is repaired by a commit that has to stay.
 */
export async function breakAndRepair(site: LaravelSite, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await warm(site);
    const before = site.head();
    site.pushVersion(`broken${round}`, { broken: true });
    const broken = await deploy(quietHost(), site.settings());
    assert.equal(broken.state, 'rolled-back', `round ${round}\n${site.log()}`);
    assert.equal(site.head(), before);
    const { status, body } = await site.get('/');
    assert.equal(status, 200);
    assert.doesNotMatch(body, /broken/);
    await warm(site);
    const repair = site.pushVersion(`repaired${round}`);
    assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
    assert.equal(site.head(), repair);
    assert.match(
      (await site.get('/')).body,
      new RegExp(`class=repaired${round} view=repaired${round} config=repaired${round}`),
    );
  }
}
