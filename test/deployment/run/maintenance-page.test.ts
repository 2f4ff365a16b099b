import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { needs } from '../../support/needs.ts';
import { holdfast, startHoldfast, until } from '../support/holdfast.ts';
import { startNginx } from '../support/php-server.ts';
import { buildSite, type Site } from '../support/site.ts';

const documentation = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');

/** What docs/deploy.md tells an operator to write into nginx's configuration, with the places of this test. */
function documented(flag: string, pages: string): string {
  const [, text = ''] = /```nginx\n(if \(-f .*?)```/s.exec(documentation) ?? [];
  assert.ok(text.includes('/srv/www/app.maintenance') && text.includes('/srv/www/pages'));
  return text.replaceAll('/srv/www/app.maintenance', flag).replaceAll('/srv/www/pages', pages);
}

/** A site of files behind a real nginx, whose next deploy is held while `hold` is there. */
async function buildHeld(t: TestContext) {
  const site = await buildSite(t);
  const flag = join(site.folder, 'app.maintenance');
  const pages = join(site.folder, 'pages');
  mkdirSync(pages);
  const [url = ''] = await startNginx(t, site.folder, [
    { served: site.app, fastcgi: '/nowhere.sock', more: documented(flag, pages) },
  ]);
  const hold = join(site.folder, 'hold');
  writeFileSync(hold, '');
  const waiting = `touch ${hold}ing; n=0; while [ -e ${hold} ] && [ $n -lt 1200 ]; do n=$((n + 1)); sleep 0.05; done`;
  const deployment = {
    preset: 'none',
    healthUrl: `${url}up`,
    maintenance: { file: flag, retryAfter: '2m' },
    steps: { after: [{ name: 'held', command: ['sh', '-c', waiting] }] },
  };
  writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify({ deployment }));
  site.push({ 'public/up': 'up\n' });
  const held: Site = { ...site, healthUrl: `${url}up` };
  return { site: held, flag, pages, hold, url };
}

async function answer(url: string) {
  const response = await fetch(url, { headers: { connection: 'close' } });
  return [response.status, response.headers.get('retry-after'), await response.text()] as const;
}

test('a real nginx answers 503 with Retry-After by the file of docs/deploy.md while a deploy runs, and 200 after it', async (t) => {
  if (!needs(t, 'nginx')) return;
  const { site, flag, pages, hold, url } = await buildHeld(t);
  const { ended } = startHoldfast(site, ['deploy']);
  await until(() => existsSync(`${hold}ing`), 'the deploy is held');
  const [status, retryAfter] = await answer(`${url}up`);
  assert.deepEqual([status, retryAfter], [503, '120'], 'also without a page of its own');
  writeFileSync(join(pages, '503.html'), 'back soon\n');
  assert.deepEqual(await answer(`${url}up`), [503, '120', 'back soon\n']);
  rmSync(hold);
  assert.equal((await ended).exitCode, 0, site.log());
  assert.deepEqual(await answer(`${url}up`), [200, null, 'up\n']);
  assert.equal(existsSync(flag), false);
});

test('after kill -9 nginx answers 503 until doctor --repair or the next deploy lifts it', async (t) => {
  if (!needs(t, 'nginx')) return;
  for (const words of [['doctor', '--repair'], ['deploy']]) {
    const { site, flag, hold, url } = await buildHeld(t);
    site.push({ 'public/up': 'first\n' });
    rmSync(hold);
    assert.equal((await holdfast(site, ['deploy'])).exitCode, 0, site.log());
    rmSync(`${hold}ing`);
    writeFileSync(hold, '');
    site.push({ 'public/up': 'second\n' });
    const { child, ended } = startHoldfast(site, ['deploy']);
    await until(() => existsSync(`${hold}ing`), 'the deploy is held');
    child.kill('SIGKILL');
    await ended;
    rmSync(hold);
    assert.equal((await answer(`${url}up`))[0], 503);
    const { exitCode } = await holdfast(site, words);
    assert.equal(exitCode, 0, site.log());
    assert.deepEqual(await answer(`${url}up`), [200, null, words[0] === 'deploy' ? 'second\n' : 'first\n']);
    assert.equal(existsSync(flag), false);
  }
});
