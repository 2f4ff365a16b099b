import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { askPool } from '../../../src/deployment/opcache/ask-pool.ts';
import { removeOldScripts } from '../../../src/deployment/opcache/script-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { buildPhpSite, compiledBy, type PhpSite, runPhp, saturate } from '../support/foreign-pools.ts';
import { until } from '../support/holdfast.ts';
import { needsPhpServer } from '../support/php-server.ts';
import { quietHost } from '../support/quiet-host.ts';

const question = { action: 'look', timeoutSeconds: 20, isOurs: true } as const;
const foldersOf = ({ app }: PhpSite) => ({ directory: app, stateFolder: join(app, '.git/holdfast') });
const ask = (site: PhpSite, more: object = {}) =>
  askPool(quietHost(), site.fastcgi, foldersOf(site), { ...question, ...more });

async function compiledOfOurs(site: PhpSite): Promise<readonly string[]> {
  const { scripts } = await compiledBy(site.fastcgi, site.folder);
  const ours = Object.keys(scripts).filter((path) => /\.git\/|holdfast-opcache/.test(path));
  // Deploys of others on this machine are not this test's.
  return ours.filter((path) => path.startsWith(site.folder) || path.startsWith('/tmp/holdfast-opcache'));
}

test('nothing of ours stays compiled, also where the request has waited for a worker', async (t) => {
  if (!needsPhpServer(t)) return;
  const lines = ['php_admin_value[opcache.file_update_protection] = 1'];
  const site = await buildPhpSite(t, { workers: 1, lines });
  assert.equal((await ask(site)).cached, 2);
  const script = join(site.app, 'public/index.php');
  const release = await saturate(site.folder, script, site.fastcgi, 1);
  const waiting = ask(site);
  const end = Date.now() + 2_100;
  await until(() => Date.now() > end, 'a new file is older than opcache.file_update_protection');
  await release();
  assert.equal((await waiting).cached, 2);
  assert.deepEqual(await compiledOfOurs(site), []);
});

test('where opcache keeps the youngest files too, the script takes itself out', async (t) => {
  if (!needsPhpServer(t)) return;
  const lines = ['php_admin_value[opcache.file_update_protection] = 0'];
  const site = await buildPhpSite(t, { lines });
  await ask(site);
  await ask(site, { action: 'forget' });
  const { cached } = await ask(site);
  assert.equal(cached, 2);
  const path = join(site.app, '.git/holdfast/opcache.php');
  writeFileSync(join(site.folder, 'is-cached.php'), `<?php echo (int) opcache_is_script_cached('${path}');`);
  assert.equal(await runPhp(site.fastcgi, join(site.folder, 'is-cached.php')), '0');
});

test('compiled files below .git are no proof that a pool serves the checkout, and are forgotten', async (t) => {
  if (!needsPhpServer(t)) return;
  const site = await buildPhpSite(t);
  const left = join(site.app, '.git/holdfast-opcache-old.php');
  writeFileSync(left, '<?php echo 1;');
  utimesSync(left, 1, 1);
  await runPhp(site.fastcgi, left);
  assert.deepEqual(await compiledOfOurs(site), [left]);
  assert.equal((await ask(site)).cached, 2);
});

test('who asks for the script by HTTP gets nothing', async (t) => {
  if (!needsPhpServer(t)) return;
  const site = await buildPhpSite(t);
  await ask(site);
  assert.equal(await runPhp(site.fastcgi, join(site.app, '.git/holdfast/opcache.php')), '');
});

test('what killed runs have left is removed, and nothing else', async (t) => {
  const host = quietHost();
  const gitFolder = join(temporaryFolder(t), 'git');
  mkdirSync(gitFolder);
  for (const name of ['holdfast-opcache-1a2b.php', 'holdfast-opcache-x.txt', 'HEAD'])
    writeFileSync(join(gitFolder, name), '');
  const seconds = Math.floor(Date.now() / 1000);
  const [old, young] = [
    `/tmp/holdfast-opcache-${seconds - 4000}-${process.pid}.php`,
    `/tmp/holdfast-opcache-${seconds}-${process.pid}.php`,
  ];
  for (const path of [old, young]) writeFileSync(path, '');
  t.after(() => host.files.remove(young));
  await removeOldScripts(host, { gitFolder, self: { userId: userInfo().uid } as never });
  assert.deepEqual(readdirSync(gitFolder), ['HEAD', 'holdfast-opcache-x.txt']);
  assert.deepEqual([existsSync(old), existsSync(young)], [false, true]);
});

test('a pool of another user is let into the state folder, and reads nothing else in it', async (t) => {
  if (!needsPhpServer(t)) return;
  if (userInfo().uid !== 0) return t.skip('needs root');
  const site = await buildPhpSite(t, { user: 'nobody' });
  const ours = process.umask(0o077);
  t.after(() => process.umask(ours));
  const state = join(site.app, '.git/holdfast');
  mkdirSync(join(state, 'releases'), { recursive: true, mode: 0o755 });
  writeFileSync(join(state, 'journal.jsonl'), '', { mode: 0o644 });
  const { forgotten, cached } = await ask(site);
  assert.deepEqual([forgotten, cached], [true, 2]);
  const modes = ['.', 'opcache.php', 'journal.jsonl', 'releases'].map(
    (name) => statSync(join(state, name)).mode & 0o777,
  );
  assert.deepEqual(modes, [0o711, 0o644, 0o600, 0o700]);
  assert.deepEqual(await compiledOfOurs(site), []);
  // A pool that is not known to be ours is not let in: it gets the script in /tmp, and leaves nothing there.
  const files = quietHost().files;
  await files.setMode(state, 0o700);
  assert.equal((await ask(site, { isOurs: false })).cached, 2);
  assert.equal(statSync(state).mode & 0o777, 0o700);
  assert.deepEqual(await compiledOfOurs(site), []);
});
