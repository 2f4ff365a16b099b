import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { commitsAhead } from '../../../src/deployment/releases/commits-ahead.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

test('--commit deploys a tag, an id and an id of another branch, and whatever is pushed meanwhile is left alone', async (t) => {
  const site = await buildSite(t);
  const first = site.head();
  const tagged = site.push({ page: 'two' });
  site.git(site.developer, 'tag', '--annotate', '--message', 'a version', 'v2');
  site.git(site.developer, 'push', '--quiet', 'origin', 'v2');
  const other = site.push({ page: 'other' }, 'other');
  site.git(site.developer, 'reset', '--quiet', '--hard', tagged);
  const newest = site.push({ page: 'three' });
  for (const [commit, expected] of [
    ['v2', tagged],
    [first, first],
    [other, other],
    [other.slice(0, 9), other],
    [newest, newest],
  ] as const) {
    const settings = site.settings({ commit });
    if (!/^\w{9}$/.test(commit))
      assert.equal((await commitsAhead(quietHost(), settings)).newCommit ?? expected, expected);
    const document = await deploy(quietHost(), settings);
    assert.equal(document.state, 'verified', site.log());
    assert.equal(document.newCommit, expected);
    assert.equal(site.head(), expected);
  }
});

test('a commit or tag that origin does not have is a failed fetch that changes nothing, also where the checkout has it', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.git(site.app, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m', 'local');
  const local = site.head();
  site.git(site.app, 'reset', '--quiet', '--hard', before);
  for (const commit of [local, 'f'.repeat(40), 'v9']) {
    const document = await deploy(quietHost(), site.settings({ commit }));
    assert.equal(document.exitCode, 1);
    assert.equal(document.because, `Git fetch failed: origin has neither a tag nor a commit ${commit}`);
    assert.equal(site.head(), before);
  }
});
