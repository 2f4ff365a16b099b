import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { until } from '../support/holdfast.ts';
import { tagged } from '../support/log.ts';
import { needsSsh, sshTo } from '../support/over-ssh.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

test('an SSH connection that is lost stops neither a deploy nor a rollback', async (t) => {
  if (!needsSsh(t)) return;
  const site = await buildSite(t);
  const overSsh = await sshTo(t, site);
  const loseIn = async (words: readonly string[]): Promise<void> => {
    site.write('hold-config:cache', '');
    const calls = site.artisanCalls().length;
    const isHeld = () =>
      site
        .artisanCalls()
        .slice(calls)
        .some((call) => call.startsWith('config:cache'));
    const program = await overSsh(words);
    await until(isHeld, 'the caches are rebuilt');
    program.loseConnection();
    await program.terminalIsClosed();
    rmSync(join(site.app, 'hold-config:cache'));
    await program.ended();
  };
  const first = site.push({ page: 'two' });
  await deploy(quietHost(), site.settings());
  const second = site.push({ page: 'three' });
  await loseIn(['deploy']);
  assert.equal(tagged(site.log()).at(-1), `[SUCCESS] Health check passed (200) at ${second}`);
  await loseIn(['rollback']);
  assert.equal(site.head(), first);
  assert.equal(tagged(site.log()).at(-1), `[SUCCESS] Health check passed (200) at ${first}`);
  assert.match(site.log(), /Deployment completed [^\n]*\n\n$/);
});
