import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { secrets, soughtTexts } from '../support/secrets.ts';
import { type Ended, holdfast } from './support/holdfast.ts';
import { tagged } from './support/log.ts';
import { buildSite, type Site } from './support/site.ts';

const webhook = `http://127.0.0.1:1/services/T000/B000/${secrets.chatWebhook}`;
const mailPassword = encodeURIComponent(secrets.mailPassword);

/** All files below a folder that hold one of the texts, like `grep -rF`. */
function filesWith(folder: string, texts: readonly string[]): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => texts.some((text) => readFileSync(path).includes(text)));
}

/** Everything that can tell a secret does: the steps print the configuration and log it, and every notifier fails. */
async function everyOutput(site: Site): Promise<readonly Ended[]> {
  const remote = `http://deployer:${secrets.gitPassword}@127.0.0.1:1/app.git`;
  const leak = `mkdir -p storage/logs; cat .git/config $1 | tee -a storage/logs/app.log; echo ${webhook} ${mailPassword}`;
  const deployment = {
    opcache: { wait: '0s' },
    logs: ['storage/logs/app.log'],
    caches: { clear: [], rebuild: [{ command: ['sh', '-c', leak] }] },
    webhookUrl: `http://127.0.0.1:1/${secrets.genericWebhook}`,
    mail: { to: 'a@example.com', from: 'b@example.com', transport: `smtp://me:${mailPassword}@127.0.0.1:1` },
  };
  writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify({ deployment }), { mode: 0o600 });
  const environment = { SLACK_WEBHOOK_URL: webhook, HEALTH_URL: `${site.healthUrl}?token=${secrets.healthToken}` };
  const run = (...words: readonly string[]) => holdfast(site, words, environment);
  site.git(site.app, 'remote', 'set-url', 'origin', remote);
  const failed = await run('deploy', '--json', '--verbose');
  assert.equal(failed.exitCode, 1);
  site.git(site.app, 'config', 'remote.origin.pushurl', remote);
  site.git(site.app, 'remote', 'set-url', 'origin', site.remote);
  site.push({ status: '500' });
  const rolledBack = await run('deploy', '--json', '--verbose');
  assert.equal(rolledBack.exitCode, 3, rolledBack.stderr);
  const [id = ''] = readdirSync(join(site.app, '.git/holdfast/runs'));
  const others = [['deploy', '--dry-run'], ['doctor'], ['status'], ['history'], ['show', id], ['notify', '--test']];
  const told: Ended[] = [];
  for (const words of others) told.push(await run(...words));
  return [failed, rolledBack, ...told];
}

test('no secret is in any output, nor in any file but those that a person wrote it into', async (t) => {
  const site = await buildSite(t);
  const said = (await everyOutput(site)).map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join('\n');
  for (const secret of soughtTexts)
    assert.ok(
      !said.includes(secret),
      said.split('\n').find((line) => line.includes(secret)),
    );
  assert.match(site.log(), /^ {2}.*pushurl = http:\/\/\[secret[^\]]*\]/m, 'the leak is in the log, without the secret');
  const allowed = ['holdfast.yaml', 'app/.git/config', 'app/storage/logs/app.log'].map((name) =>
    join(site.folder, name),
  );
  assert.deepEqual(
    filesWith(site.folder, soughtTexts).filter((path) => !allowed.includes(path)),
    [],
  );
  assert.ok(filesWith(join(site.app, '.git/holdfast/runs'), ['pushurl']).length > 0, 'the application’s log was kept');
});

test('the commands of the deploy do not see our secrets', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  const caches = { clear: [], rebuild: [{ name: 'environment', command: ['env'] }] };
  const config = join(site.folder, 'holdfast.yaml');
  writeFileSync(
    config,
    JSON.stringify({ deployment: { opcache: { wait: '0s' }, caches, environment: { APP_ENV: 'production' } } }),
  );
  await holdfast(site, ['deploy', '--variant', 'full'], {
    SLACK_WEBHOOK_URL: webhook,
    COPY: `x ${webhook}`,
    GIT_DIR: '/nowhere',
  });
  const lines = site.log().split('\n');
  assert.ok(lines.includes('  APP_ENV=production'));
  assert.ok(lines.some((line) => line.startsWith('  PATH=')));
  for (const name of ['SLACK_WEBHOOK_URL', 'COPY', 'GIT_DIR', 'HEALTH_URL'])
    assert.ok(!lines.some((line) => line.startsWith(`  ${name}=`)), name);
});

test('neither a commit subject nor a command can forge a line of the log', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  site.git(
    site.developer,
    'commit',
    '--quiet',
    '--allow-empty',
    '--message',
    '[SUCCESS] forged\u001b[2K\r[SUCCESS] forged',
  );
  const commit = site.push({ 'fail-config:clear': '', page: '[ROLLBACK]' });
  const config = join(site.folder, 'holdfast.yaml');
  const caches = {
    clear: [],
    rebuild: [{ command: ['printf', '\\r[SUCCESS] forged\\n[SUCCESS] forged\\f[SUCCESS] forged'] }],
  };
  writeFileSync(config, JSON.stringify({ deployment: { opcache: { wait: '0s' }, caches } }));
  await holdfast(site, ['deploy']);
  assert.deepEqual(
    tagged(site.log()).filter((line) => line.startsWith('[SUCCESS]')),
    [`[SUCCESS] Health check passed (200) at ${commit}`],
  );
  assert.equal(
    site
      .log()
      .split(/[\n\r\f]/)
      .filter((line) => line.startsWith('[SUCCESS]')).length,
    1,
  );
});
