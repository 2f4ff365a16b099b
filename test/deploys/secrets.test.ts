import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdfast } from './support/holdfast.ts';
import { tagged } from './support/log.ts';
import { buildSite } from './support/site.ts';

const password = 'correct-horse-battery';
const webhook = 'http://127.0.0.1:1/services/T000/B000/staple-of-secrets';

test('the password of the remote, the webhook and a token in the health address are nowhere to be read', async (t) => {
  const site = await buildSite(t);
  site.git(site.app, 'remote', 'set-url', 'origin', `http://deployer:${password}@127.0.0.1:1/app.git`);
  const environment = { SLACK_WEBHOOK_URL: webhook, HEALTH_URL: `${site.healthUrl}?token=health-token-1` };
  const failed = await holdfast(site, ['deploy', '--json', '--variant', 'full'], environment);
  assert.equal(failed.exitCode, 1);
  site.git(site.app, 'remote', 'set-url', 'origin', site.remote);
  site.push({ 'leak.sh': 'env', status: '500' });
  const deployed = await holdfast(site, ['deploy', '--json', '--verbose', '--variant', 'full'], environment);
  const planned = await holdfast(site, ['deploy', '--dry-run'], environment);
  const journal = readFileSync(join(site.app, '.git', 'holdfast', 'journal.jsonl'), 'utf8');
  const everything = [failed, deployed, planned]
    .flatMap(({ stdout, stderr }) => [stdout, stderr])
    .concat(site.log(), journal)
    .join('\n');
  for (const secret of [password, 'staple-of-secrets', 'health-token-1'])
    assert.ok(!everything.includes(secret), secret);
});

test('the commands of the deploy do not see our secrets', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  const caches = { clear: [], rebuild: [{ name: 'environment', command: ['env'] }] };
  const config = join(site.folder, 'holdfast.yaml');
  const { writeFileSync } = await import('node:fs');
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
  const { writeFileSync } = await import('node:fs');
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
