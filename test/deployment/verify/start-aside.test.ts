import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { type BrokenKind, brokenKinds, twoRoutesOfOneName } from '../support/broken-commits.ts';
import { fingerprints } from '../support/fingerprints.ts';
import { buildLaravel, type LaravelSite, needsLaravel } from '../support/laravel.ts';
import { quietHost } from '../support/quiet-host.ts';

const host = quietHost();
const isThere = (site: LaravelSite, path: string) => existsSync(join(site.app, path));

async function laravel(t: TestContext): Promise<LaravelSite | undefined> {
  return needsLaravel(t) ? buildLaravel(t) : undefined;
}

/** The same, with classes found as composer's autoloader does: from the folder in which it lies itself. */
function withPackages(site: LaravelSite): void {
  mkdirSync(join(site.app, 'vendor'));
  copyFileSync(join(site.app, 'bootstrap/autoload.php'), join(site.app, 'vendor/autoload.php'));
  const loading = ["'/bootstrap/autoload.php'", "'/vendor/autoload.php'"] as const;
  site.push({
    '.gitignore': '/.env\n/vendor\n',
    'bootstrap/autoload.php': null,
    artisan: (site.read('artisan') ?? '').replace(...loading),
    'public/index.php': (site.read('public/index.php') ?? '').replace(
      "'/../bootstrap/autoload.php'",
      "'/../vendor/autoload.php'",
    ),
  });
}

/** A provider whose `boot` does this. */
const provider = (name: string, code: string) =>
  `<?php\n\nnamespace App\\Providers;\n\nclass ${name} extends \\Illuminate\\Support\\ServiceProvider\n{\n    public function boot()\n    {\n        ${code}\n    }\n}\n`;
const naming = (site: LaravelSite, name: string) =>
  (site.read('config/app.php') ?? '').replace(
    'App\\Providers\\Route',
    `App\\Providers\\${name}::class,\n        App\\Providers\\Route`,
  );

for (const kind of brokenKinds.filter((kind): kind is Exclude<BrokenKind, 'runtime'> => kind !== 'runtime'))
  test(`a commit with which the application cannot start (${kind}) is found before anything is touched`, async (t) => {
    const site = await laravel(t);
    if (site === undefined) return;
    const [head, log, before] = [
      site.head(),
      readFileSync(join(site.app, '.git/logs/HEAD'), 'utf8'),
      fingerprints(site),
    ];
    const commit = site.pushVersion('two', { broken: kind });
    const document = await deploy(host, site.settings());
    assert.equal(document.state, 'rolled-back', site.log());
    assert.equal(document.exitCode, 3);
    assert.equal(document.newCommit, commit);
    assert.equal(document.previousCommit, head);
    assert.deepEqual(fingerprints(site), before);
    assert.equal(readFileSync(join(site.app, '.git/logs/HEAD'), 'utf8'), log);
    assert.match(
      site.log(),
      new RegExp(`^\\[ERROR\\] The application cannot start with commit ${commit}: .+ at .+:\\d+$`, 'm'),
    );
    assert.match(site.log(), new RegExp(`^\\[ROLLBACK\\] Nothing was changed: still at ${head}$`, 'm'));
    assert.ok(!isThere(site, '.git/holdfast/aside'));
    assert.ok(!isThere(site, '.git/holdfast/staged'));
    const again = await deploy(host, site.settings());
    assert.equal(again.exitCode, 6, 'the commit is quarantined');
    assert.match(site.log(), /was found bad before; .*: The application cannot start with commit/);
  });

test('a commit whose caches cannot be built is found before anything is touched', async (t) => {
  const site = await laravel(t);
  if (site === undefined) return;
  const before = fingerprints(site);
  const commit = site.push({ 'routes/web.php': twoRoutesOfOneName });
  const document = await deploy(host, site.settings());
  assert.deepEqual([document.exitCode, document.failedStep], [3, 'route:cache'], site.log());
  assert.deepEqual(fingerprints(site), before);
  assert.match(site.log(), new RegExp(`^\\[ERROR\\] Step route:cache fails with commit ${commit}: .*home`, 'm'));
  assert.equal((await deploy(host, site.settings())).exitCode, 6, 'the commit is quarantined');
});

test('where the caches of the present commit cannot be built either, nothing is touched, exit 2, and no commit is at fault', async (t) => {
  const site = await laravel(t);
  if (site === undefined) return;
  const spoilt = `if (config('app.name') === 'Spoilt') Route::get('/again', [PageController::class, 'home'])->name('home');`;
  site.push({ 'routes/web.php': `${site.read('routes/web.php')}\n${spoilt}\n` });
  assert.equal((await deploy(host, site.settings())).exitCode, 0, site.log());
  const whole = site.read('.env') ?? '';
  site.write('.env', whole.replace(/^APP_NAME=.*/m, 'APP_NAME=Spoilt'));
  const before = fingerprints(site);
  const commit = site.push({ 'resources/text': 'two' });
  const document = await deploy(host, site.settings());
  assert.deepEqual([document.exitCode, document.state], [2, 'aborted'], site.log());
  assert.match(
    document.because ?? '',
    /^The application cannot build its caches \(route:cache\) with the present commit either: .*home.* nothing was changed$/s,
  );
  assert.deepEqual(fingerprints(site), before);
  site.write('.env', whole);
  assert.deepEqual((await deploy(host, site.settings())).newCommit, commit, site.log());
});

test('where nothing can be tried aside, caches that cannot be built are not cleared either', async (t) => {
  const site = await laravel(t);
  if (site === undefined) return;
  site.push({ 'routes/web.php': twoRoutesOfOneName });
  const before = { steps: { before: [{ name: 'none', command: ['true'] }] } };
  const { exitCode, steps } = await deploy(host, site.settings({}, before));
  assert.equal(exitCode, 3, site.log());
  const names = steps.map(({ name }) => name);
  assert.deepEqual([names.includes('route:cache'), names.includes('config:clear')], [true, false], site.log());
  assert.equal((await site.get('/')).status, 200);
});

test('a new class is found aside, although composer looks for it from the folder of the packages', async (t) => {
  const site = await laravel(t);
  if (site === undefined) return;
  withPackages(site);
  assert.equal((await deploy(host, site.settings())).state, 'verified', site.log());
  site.push({
    'app/Providers/NewProvider.php': provider('NewProvider', ''),
    'config/app.php': naming(site, 'NewProvider'),
  });
  const document = await deploy(host, site.settings());
  assert.equal(document.state, 'verified', site.log());
  assert.ok(
    document.steps.some(({ name, exitCode }) => name === 'start aside' && exitCode === 0),
    site.log(),
  );
  assert.doesNotMatch(site.log(), /is not started aside/);
});

test('what the application writes while it starts aside is not written in the checkout', async (t) => {
  const site = await laravel(t);
  if (site === undefined) return;
  const writes = ['storage/logs/aside', 'storage/framework/views/aside', 'bootstrap/cache/aside', 'aside'];
  const code = writes.map((path) => `file_put_contents(base_path('${path}'), 'x');`).join(' ');
  const before = fingerprints(site);
  site.push({
    'app/Providers/NewProvider.php': provider('NewProvider', `${code} throw new \\Exception('It wrote.');`),
    'config/app.php': naming(site, 'NewProvider'),
  });
  assert.equal((await deploy(host, site.settings())).state, 'rolled-back');
  assert.match(
    site.log(),
    /cannot start with commit \w+: Exception: It wrote\. at app\/Providers\/NewProvider\.php:\d+/,
  );
  assert.deepEqual(fingerprints(site), before);
});

test('what git does not track is there aside: settings, files of the application, files at the top', async (t) => {
  const site = await laravel(t);
  if (site === undefined) return;
  const needed = ['storage/app/key', 'storage/key', 'public/build/manifest.json', 'key', 'resources/new/key'];
  for (const path of needed) site.write(path, 'x');
  const code = `foreach (${JSON.stringify(needed)} as $path) if (!is_file(base_path($path))) throw new \\Exception($path);
        if (env('APP_KEY') === null && !app()->configurationIsCached()) throw new \\Exception('no .env');`;
  site.push({
    'app/Providers/NewProvider.php': provider('NewProvider', code),
    'config/app.php': naming(site, 'NewProvider'),
  });
  const document = await deploy(host, site.settings());
  assert.equal(document.state, 'verified', site.log());
  assert.ok(
    document.steps.some(({ name, exitCode }) => name === 'start aside' && exitCode === 0),
    site.log(),
  );
});

test('where the present commit cannot start aside either, the new one is not to blame, and is deployed', async (t) => {
  const site = await laravel(t);
  if (site === undefined) return;
  const code = "if (strpos(base_path(), '.git') !== false) throw new \\Exception('Not here.');";
  site.push({
    'app/Providers/NewProvider.php': provider('NewProvider', code),
    'config/app.php': naming(site, 'NewProvider'),
  });
  const inPlace = { steps: { before: [{ name: 'none', command: ['true'] }] } };
  assert.equal((await deploy(host, site.settings({}, inPlace))).state, 'verified', site.log());
  assert.match(
    site.log(),
    /^\[INFO\] The new commit is not started aside before the reset: it may need what is done first: none$/m,
  );
  site.push({ 'resources/text': 'new' });
  assert.equal((await deploy(host, site.settings())).state, 'verified', site.log());
  assert.match(
    site.log(),
    /^\[INFO\] The new commit is not started aside .*: the present commit cannot start there either: Exception: Not here\./m,
  );
});

test('a commit with files that a filter of git writes is not copied aside', async (t) => {
  const site = await laravel(t);
  if (site === undefined) return;
  site.push({ '.gitattributes': '*.large filter=large\n' });
  assert.equal((await deploy(host, site.settings())).state, 'verified', site.log());
  assert.match(
    site.log(),
    /^\[INFO\] The new commit is not started aside .*: it has submodules, or files that a filter of git writes$/m,
  );
});

test('a folder for logs that is a link is never written through', async (t) => {
  const site = await laravel(t);
  if (site === undefined) return;
  site.push({ 'storage/logs/.gitignore': null });
  assert.equal((await deploy(host, site.settings())).state, 'verified', site.log());
  const elsewhere = join(site.folder, 'logs');
  mkdirSync(elsewhere);
  rmSync(join(site.app, 'storage/logs'), { recursive: true, force: true });
  symlinkSync(elsewhere, join(site.app, 'storage/logs'));
  site.pushVersion('two');
  assert.equal((await deploy(host, site.settings())).state, 'verified', site.log());
  assert.match(site.log(), /^ {2}storage\/logs is a symbolic link$/m);
  assert.match(site.log(), /^\[INFO\] The new commit is not started aside .*: Linking a copy aside of/m);
});

test('the next run removes what a killed one has left aside', async (t) => {
  const site = await laravel(t);
  if (site === undefined) return;
  site.write('.git/holdfast/aside/tree/app/Version.php', 'left');
  assert.equal((await deploy(host, site.settings({ ifChanged: true }))).state, 'unchanged');
  assert.ok(!isThere(site, '.git/holdfast/aside'));
});
