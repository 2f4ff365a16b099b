import assert from 'node:assert/strict';
import { copyFileSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { bareDebian, packageOf, type, typeWell } from '../support/bare-debian.ts';
import { needs } from '../support/needs.ts';
import { firstDeployScript, showsFirstDeploy } from '../support/walk.ts';

const clone = join(import.meta.dirname, '../..');
/** The commit of which the package is the one that is installed before the upgrade. */
const older = process.env.OLDER ?? 'HEAD~100';

/** The commands that the README has for a bare Debian 12, without their comments. */
function readmeCommands(): readonly string[] {
  const [, block = ''] =
    /On a bare Debian 12[^`]+```\n([^`]+)```/.exec(readFileSync(join(clone, 'README.md'), 'utf8')) ?? [];
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +# .*$/, ''));
}

const site = `
  apt-get update -qq && apt-get install -qq --no-install-recommends git >/dev/null
  useradd --create-home --shell /bin/bash deploy && mkdir -p /srv/www && chown deploy /srv/www
  su deploy -c 'cd; git init -q --bare --initial-branch=main origin.git; git clone -q origin.git work; cd work
    git config user.name You; git config user.email you@example.com
    echo ok > up; git add .; git commit -qm First; git push -q origin HEAD:main; git clone -q ../origin.git /srv/www/app'`;

/** The address of a server that shows the files of the site. */
async function serve(t: TestContext, root: string): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(existsSync(join(root, 'srv/www/app', request.url ?? '')) ? 200 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const pushed = (file: string) =>
  `su deploy -c 'cd ~/work && echo more >> ${file} && git add . && git commit -qm "More in ${file}" && git push -q origin HEAD:main'`;

/** What the package puts into the system; everything else is the operator's. */
const ofThePackage = ['usr/bin/holdfast', 'usr/lib/holdfast', 'usr/share/doc/holdfast'];

test('a bare Debian 12', { timeout: 3_600_000 }, async (t) => {
  if (!needs(t, 'debootstrap')) return;
  if (process.getuid?.() !== 0) return t.skip('debootstrap needs root');
  const root = bareDebian(t);
  await typeWell(root, site);
  const health = await serve(t, root);
  const [build = '', install = '', deploy = '', ...others] = readmeCommands();
  const deployed = `${deploy.replace('https://app.example.com', health)} --preset none`;
  const asDeploy = (line: string) => `su - deploy -c '${line}'`;

  await t.test('the three commands of the README lead to a verified deploy', async () => {
    assert.deepEqual(others, []);
    await typeWell(root, build);
    await typeWell(root, install);
    await type(root, asDeploy(deployed.replace('holdfast deploy', 'holdfast doctor')));
    assert.match(await typeWell(root, asDeploy(deployed)), /verified at [0-9a-f]{40}, exit 0/);
  });

  await t.test('the walk “A first deploy” shows what its commands print', async () => {
    await typeWell(root, 'apt-get install -qq --no-install-recommends python3 curl >/dev/null');
    const script = firstDeployScript(8765, ({ command }) => command.startsWith('alias holdfast='));
    writeFileSync(join(root, 'tmp/walk.sh'), script);
    const { screen } = await type(root, asDeploy('bash /tmp/walk.sh'));
    showsFirstDeploy(screen);
  });

  await t.test('an upgrade of an older package keeps the history, and the next deploy goes on', async () => {
    await typeWell(root, 'apt-get purge -qq holdfast >/dev/null');
    copyFileSync(packageOf(t, older), join(root, 'tmp/holdfast_0.0.9_amd64.deb'));
    await typeWell(root, 'apt install /tmp/holdfast_0.0.9_amd64.deb');
    await typeWell(root, pushed('page'));
    assert.match(await typeWell(root, asDeploy(deployed)), /verified at [0-9a-f]{40}, exit 0/);
    const listed = asDeploy('APP_DIR=/srv/www/app holdfast history');
    const before = await typeWell(root, listed);
    await typeWell(root, install);
    const version = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')).version;
    assert.equal(await typeWell(root, 'holdfast --version'), `${version}\n`);
    assert.equal(await typeWell(root, listed), before);
    await typeWell(root, pushed('page'));
    assert.match(await typeWell(root, asDeploy(deployed)), /verified at [0-9a-f]{40}, exit 0/);
    await typeWell(
      root,
      "su deploy -c 'cd ~/work && git rm -q up && git commit -qm Broken && git push -q origin HEAD:main'",
    );
    const { status } = await type(root, asDeploy(deployed));
    assert.equal(status, 3);
  });

  await t.test('a purge takes all of the package away and nothing of the operator', async () => {
    await typeWell(root, 'mkdir -p /etc/holdfast && echo "deployment: {}" > /etc/holdfast/app.yaml');
    const kept = ['etc/holdfast/app.yaml', 'home/deploy/deploy.log', 'srv/www/app/.git/holdfast/journal.jsonl'];
    const texts = () => kept.map((path) => readFileSync(join(root, path), 'utf8'));
    const before = texts();
    await typeWell(root, 'apt-get purge -qq holdfast');
    assert.deepEqual(texts(), before);
    assert.deepEqual(
      ofThePackage.filter((path) => existsSync(join(root, path))),
      [],
    );
    const left = globSync(
      ['usr/lib/systemd/system/holdfast*', 'var/lib/dpkg/info/holdfast*', 'etc/systemd/system/**/holdfast*'],
      { cwd: root },
    );
    assert.deepEqual(left, []);
    // Installed again, it goes on where it was.
    await typeWell(root, install);
    const { screen } = await type(root, asDeploy('APP_DIR=/srv/www/app holdfast status'));
    assert.match(screen, /verified/);
  });
});
