import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dashboard } from '../../src/dashboard/dashboard.ts';
import { admit } from '../../src/dashboard/door.ts';
import { nodeHost } from '../../src/host/node.ts';
import { newToken } from '../../src/host/token.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const here = '127.0.0.1:8080';
const statusOf = (token: string | undefined, address: string, name = here): number | undefined => {
  const admitted = admit({ token }, address, name);
  return 'path' in admitted ? 200 : admitted.status;
};

test('without the token nothing is served: 403 and what to open, for a page, a script, a stream and an unknown path alike', async (t) => {
  const token = newToken();
  const folder = temporaryFolder(t);
  const { url, close } = await dashboard(nodeHost(), { runs: async () => [folder] }, { port: 0, token });
  t.after(close);
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\/$/);
  assert.equal((await fetch(url)).status, 200);
  for (const path of ['', 'overview', 'page.js', 'report.css', 'overview-events', 'favicon.ico', 'missing']) {
    for (const foreign of ['/', `/${newToken()}/`, `/${token.slice(0, -1)}/`, `/${token}x/`]) {
      const answer = await fetch(new URL(`${foreign}${path}`, url));
      assert.equal(answer.status, 403, `${foreign}${path}`);
      assert.match(await answer.text(), /^This address lacks the token .* open the whole address .*\.\n$/);
    }
  }
});

test('two tokens differ, and hold 128 bits', () => {
  const [one, other] = [newToken(), newToken()];
  assert.notEqual(one, other);
  assert.equal(Buffer.from(one, 'base64url').length, 16);
});

test('the token is the first part of the path and nothing else: not in the query, not without its slash', () => {
  assert.deepEqual(admit({ token: 'secret' }, '/secret/run?run=runs%2Fone', here), {
    path: '/run',
    query: new URLSearchParams({ run: 'runs/one' }),
  });
  for (const address of ['/secret', '/?token=secret', '/run?secret', '//secret/', '/SECRET/', ''])
    assert.equal(statusOf('secret', address), 403, address);
});

test('without a token everybody on the machine is let in, but no page of another name', () => {
  assert.equal(statusOf(undefined, '/overview'), 200);
  for (const token of [undefined, 'secret']) assert.equal(statusOf(token, '/secret/', 'evil.example'), 421);
});

test('only folders of the list are read, whatever the address names', async (t) => {
  const folder = temporaryFolder(t);
  const { url, close } = await dashboard(nodeHost(), { runs: async () => [folder] }, { port: 0 });
  t.after(close);
  for (const path of ['events?run=/etc', `compare?before=/etc&after=${folder}`, 'events', 'deploy-events?id=x'])
    assert.equal((await fetch(`${url}${path}`)).status, 404, path);
});
