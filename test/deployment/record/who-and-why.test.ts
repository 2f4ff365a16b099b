import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { performerOf } from '../../../src/deployment/checkout/find-performer.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { holdfast } from '../support/holdfast.ts';
import { buildSite } from '../support/site.ts';

const login = { SUDO_USER: 'alice', SSH_CONNECTION: '203.0.113.7 50022 198.51.100.2 22' };
const { username } = userInfo();
const by = { user: username, sudoUser: 'alice', sshFrom: '203.0.113.7' };

test('a deploy records who started it and why: in its document, in the history and in show', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  const words = ['deploy', '--json', '--message', 'hotfix of the cart'];
  const document = JSON.parse((await holdfast(site, words, login)).stdout);
  assert.deepEqual([document.by, document.message], [by, 'hotfix of the cart']);
  const { runs } = JSON.parse((await holdfast(site, ['history', '--json'])).stdout);
  assert.deepEqual([runs[0].by, runs[0].message], [by, 'hotfix of the cart']);
  const who = `by alice by sudo as ${username} from 203.0.113.7: hotfix of the cart`;
  assert.ok((await holdfast(site, ['history'])).stdout.includes(who));
  assert.ok((await holdfast(site, ['show', document.id])).stdout.includes(who));
});

test('the lock says who froze deploys, and a message that would break a line is refused', async (t) => {
  const site = await buildSite(t);
  const { frozen } = JSON.parse((await holdfast(site, ['lock', '--json', '--reason', 'sale'], login)).stdout);
  assert.deepEqual(frozen.by, by);
  const refused = await holdfast(site, ['deploy']);
  assert.equal(refused.exitCode, 6);
  assert.match(
    site.log(),
    new RegExp(`frozen since \\S+ by alice by sudo as ${username} from 203\\.0\\.113\\.7: sale`),
  );
  const broken = await holdfast(site, ['deploy', '--message', 'one\n[SUCCESS] two']);
  assert.equal(broken.exitCode, 2);
  await holdfast(site, ['unlock']);
  const forged = await holdfast(site, ['lock', '--reason', 'sale\u001b[2K\n! state  forged']);
  assert.deepEqual(
    [forged.exitCode, forged.stderr],
    [2, 'holdfast: --reason holds a control character, such as a line end: leave it out.\n'],
  );
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 0);
});

test('rollback takes a commit or --steps, and not both', async (t) => {
  const site = await buildSite(t);
  const { exitCode, stderr } = await holdfast(site, ['rollback', '--steps', '2', site.head()]);
  assert.equal(exitCode, 2);
  assert.match(stderr, /--steps counts verified commits back/);
  assert.equal((await holdfast(site, ['rollback', '--steps', '0'])).exitCode, 2);
});

test('what has not the form of a name or of an address is not written down', async () => {
  const { files } = nodeHost();
  const odd = { SUDO_USER: 'al\nice', SSH_CONNECTION: '\u001b[2J 1 2 3' };
  const { sudoUser, sshFrom } = await performerOf(files, 0, odd);
  assert.deepEqual([sudoUser, sshFrom], [null, null]);
});
