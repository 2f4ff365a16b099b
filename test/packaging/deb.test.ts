import assert from 'node:assert/strict';
import { existsSync, globSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, normalize } from 'node:path';
import { type TestContext, test } from 'node:test';
import { builtPackage, nextVersionOf } from './support/debian-package.ts';
import { type Ended, type FreshRoot, freshRoot } from './support/fresh-root.ts';
import { heldDeploy, pushCommit, servedSite } from './support/served-site.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
const limits = { timeout: 240_000 };

/**
 * What the package depends on is this machine's, and dpkg does not know it. The root is thrown away: nothing of it has
 * to be on disk.
 */
const force = ['--force-depends', '--force-unsafe-io'];

async function install(root: FreshRoot, file: string): Promise<void> {
  await copyFile(file, join(root.folder, 'tmp', basename(file)));
  await root.run('dpkg', ...force, '--install', `/tmp/${basename(file)}`);
}

/** A fresh root with the package installed; undefined, and the test is skipped, where that is not possible. */
async function installed(t: TestContext): Promise<{ readonly root: FreshRoot; readonly file: string } | undefined> {
  const root = freshRoot(t);
  const file = root && builtPackage(t);
  if (!(root && file)) return undefined;
  await install(root, file);
  return { root, file };
}

/** Waits until the deploy is in its held step. */
async function held(root: FreshRoot, deploy: Promise<Ended>): Promise<void> {
  const early = deploy.then(({ output }) => {
    throw new Error(`the deploy ended before its step:\n${output}`);
  });
  await Promise.race([root.run('cat', '/srv/reached'), early]);
}

const versionsOf = (root: FreshRoot): readonly string[] =>
  readdirSync(join(root.folder, 'usr/lib/holdfast/versions')).map((name) => name.replace(/-[0-9a-f]{8}$/, ''));

test(
  'what is installed can be read by everybody, is written by root alone, and every link of its pages leads to a page',
  limits,
  async (t) => {
    const { root } = (await installed(t)) ?? {};
    if (root === undefined) return;
    assert.equal(await root.run('dpkg', '--verify', 'holdfast'), '');
    assert.doesNotMatch(await root.run('dpkg', '--status', 'holdfast'), /Conffiles/);
    const listed = (await root.run('dpkg', '--listfiles', 'holdfast')).trim().split('\n').slice(1);
    for (const path of listed
      .map((name) => join(root.folder, name))
      .filter((name) => !lstatSync(name).isSymbolicLink()))
      assert.match((lstatSync(path).mode & 0o777).toString(8), /^(755|644)$/, path);
    const documents = join(root.folder, 'usr/share/doc/holdfast');
    const pages = globSync(['*.md', 'docs/*.md', 'packaging/*.md'], { cwd: documents });
    assert.ok(pages.includes('docs/first-deploy.md') && pages.includes('packaging/README.md'));
    const broken = pages.flatMap((page) =>
      [...readFileSync(join(documents, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)\)/g)]
        .map(([, to = '']) => normalize(join(dirname(page), to)))
        .filter((to) => !existsSync(join(documents, to)))
        .map((to) => `${page}: ${to}`),
    );
    assert.deepEqual(broken, []);
  },
);

test('each unit starts a program that is installed', limits, async (t) => {
  const { root } = (await installed(t)) ?? {};
  if (root === undefined) return;
  const units = globSync('usr/lib/systemd/system/holdfast-*.service', { cwd: root.folder });
  assert.deepEqual(units.map((path) => basename(path)).sort(), [
    'holdfast-deploy.service',
    'holdfast-listen.service',
    'holdfast-monitor.service',
  ]);
  for (const unit of units) {
    const [, command = ''] = /^ExecStart=(.+)$/m.exec(readFileSync(join(root.folder, unit), 'utf8')) ?? [];
    const programs = command.split(' ').filter((word) => word.startsWith('/') && !word.startsWith('/etc/'));
    for (const program of programs) await root.run('test', '-x', program);
    assert.ok(programs.length > 0, unit);
  }
  const { status, output } = await root.start('/usr/lib/holdfast/current/packaging/webhook-listener.js');
  assert.deepEqual([status, /HOLDFAST_WEBHOOK_SECRET/.test(output)], [2, true]);
});

/** Files that only some commands load. */
const loadLibraries = `
  cd /usr/lib/holdfast/current/dist/cli
  for name in client-node-* sdk-* smtp-client-*; do ../../bin/node --input-type=module -e "await import('./$name')"; done`;

test('it is installed, deploys with the Node inside, and is removed without a trace', limits, async (t) => {
  const root = freshRoot(t);
  const file = root && builtPackage(t);
  if (!(root && file)) return;
  const before = root.paths();
  await install(root, file);
  assert.equal(await root.run('holdfast', '--version'), `${version}\n`);
  const options = await servedSite(t, root);
  assert.match(await root.run('holdfast', 'doctor', ...options), /health +200/);
  await pushCommit(root);
  assert.match(await root.run('holdfast', 'deploy', ...options), /verified at [0-9a-f]{40}, exit 0/);
  assert.equal(await root.run('sh', '-euc', loadLibraries), '');
  await root.run('dpkg', '--remove', 'holdfast');
  assert.deepEqual(
    root.paths().filter((path) => !before.includes(path)),
    [],
  );
  assert.equal((await root.start('dpkg', '--status', 'holdfast')).status, 1);
});

test('an upgrade goes on with the history, and a purge leaves all that is not of the package', limits, async (t) => {
  const { root, file } = (await installed(t)) ?? {};
  if (root === undefined || file === undefined) return;
  const options = await servedSite(t, root);
  const deploy = async () => {
    await pushCommit(root);
    assert.match(await root.run('holdfast', 'deploy', ...options), /verified at [0-9a-f]{40}, exit 0/);
  };
  const history = () => root.run('holdfast', 'history', '--app-dir', '/srv/site');
  await deploy();
  const before = await history();
  await install(root, nextVersionOf(file));
  assert.equal(await history(), before);
  await deploy();
  await root.run('sh', '-euc', 'mkdir -p /etc/holdfast; echo "deployment: {}" > /etc/holdfast/app.yaml');
  const kept = ['etc/holdfast/app.yaml', 'var/log/deploy.log', 'srv/site/.git/holdfast/journal.jsonl'];
  const texts = () => kept.map((path) => readFileSync(join(root.folder, path), 'utf8'));
  const written = texts();
  await root.run('dpkg', '--purge', 'holdfast');
  assert.deepEqual(texts(), written);
  assert.deepEqual(
    root.paths().filter((path) => path.includes('holdfast')),
    ['etc/holdfast', 'etc/holdfast/app.yaml'],
  );
});

test('a deploy that runs while the package is upgraded ends with all that its own version has', limits, async (t) => {
  const { root, file } = (await installed(t)) ?? {};
  if (root === undefined || file === undefined) return;
  const options = await servedSite(t, root);
  await pushCommit(root);
  const deploy = root.start('holdfast', 'deploy', ...options, '--config', await heldDeploy(root));
  await held(root, deploy);
  await install(root, nextVersionOf(file));
  assert.equal(await root.run('holdfast', '--version'), '9.9.9\n');
  assert.deepEqual(versionsOf(root), [version, '9.9.9']);
  await writeFile(join(root.folder, 'srv/continue'), '\n');
  const { status, output } = await deploy;
  assert.equal(status, 0, output);
  assert.match(readFileSync(join(root.folder, 'srv/mail'), 'utf8'), /^Subject: Deployment$/m);
  await root.run('dpkg', ...force, '--install', '/tmp/holdfast_9.9.9.deb');
  assert.deepEqual(versionsOf(root), ['9.9.9']);
});

test('the package is not removed under a deploy that runs', limits, async (t) => {
  const { root } = (await installed(t)) ?? {};
  if (root === undefined) return;
  const options = await servedSite(t, root);
  await pushCommit(root);
  const deploy = root.start('holdfast', 'deploy', ...options, '--config', await heldDeploy(root));
  await held(root, deploy);
  const refused = await root.start('dpkg', '--remove', 'holdfast');
  assert.notEqual(refused.status, 0);
  assert.match(refused.output, /holdfast runs \(process \d+\): wait for its end or stop it, then remove the package\./);
  await writeFile(join(root.folder, 'srv/continue'), '\n');
  assert.equal((await deploy).status, 0);
  await root.run('dpkg', '--remove', 'holdfast');
  assert.ok(!existsSync(join(root.folder, 'usr/lib/holdfast')));
});
