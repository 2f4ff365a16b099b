import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { freePort } from '../../support/free-port.ts';
import { until } from '../support/holdfast.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

/** Another address, whose answer is made from the checkout. */
async function answering(
  t: TestContext,
  answer: () => { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string },
): Promise<string> {
  const server = createServer((_, response) => {
    const { status = 200, headers = {}, body = '' } = answer();
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function served(t: TestContext): Promise<{ site: Site; commit: string; stale: string }> {
  const site = await buildSite(t);
  const stale = site.head();
  return { site, commit: site.push({ page: 'two' }), stale };
}

test('proof of the commit by a header: the old commit is a failed verification, the new one passes', async (t) => {
  const { site, commit, stale } = await served(t);
  let shown = stale;
  const healthUrl = await answering(t, () => ({ headers: { 'X-Commit': shown } }));
  const file = { health: { proof: { header: 'X-Commit' } } };
  const failed = await deploy(quietHost(), site.settings({ healthUrl }, file));
  assert.equal(failed.exitCode, 3, 'after the rollback the old commit is what has to answer');
  assert.match(
    site.log(),
    new RegExp(
      `^\\[ERROR\\] Health check failed \\(200\\) at ${commit}: what answers is not this commit but "${stale}"$`,
      'm',
    ),
  );
  shown = commit.slice(0, 10);
  assert.equal((await deploy(quietHost(), site.settings({ healthUrl, again: true }, file))).exitCode, 0);
});

test('proof of the commit by a file and by a command', async (t) => {
  const { site, commit } = await served(t);
  const file = await answering(t, () => ({ body: `${site.head()}\n` }));
  for (const proof of [{ file }, { command: ['git', 'rev-parse', 'HEAD'] }]) {
    const document = await deploy(quietHost(), site.settings({}, { health: { proof } }));
    assert.equal(document.state, 'verified', site.log());
  }
  assert.equal(site.head(), commit);
  site.push({ page: 'three' });
  const wrong = await deploy(quietHost(), site.settings({}, { health: { proof: { command: ['echo', 'nothing'] } } }));
  assert.equal(wrong.state, 'rolled-back-unhealthy');
});

test('an answer from a cache does not prove a commit', async (t) => {
  const { site } = await served(t);
  const healthUrl = await answering(t, () => ({ headers: { age: '120' } }));
  const document = await deploy(quietHost(), site.settings({ healthUrl }));
  assert.equal(document.exitCode, 4);
  assert.match(
    site.log(),
    /^\[ERROR\] Health check failed \(200\) at \w+: the answer came from a cache and is 120 s old$/m,
  );
});

/**
 * A cache that says nothing of itself, as that of an nginx somewhere: it has an answer of 200 for every address that it
 * was asked for, with its query.
 */
async function cachedSite(t: TestContext, site: Site, minds: (query: string) => number | undefined): Promise<string> {
  const kept = new Set<string>();
  const server = createServer(({ url = '' }, response) => {
    const [, query] = url.split('?');
    const status = (query === undefined ? undefined : minds(query)) ?? Number(site.read('status'));
    if (status === 200) kept.add(url);
    response.writeHead(kept.has(url) ? 200 : status, { server: 'nginx' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`;
}

for (const status of ['500', '404'])
  test(`a cache that says nothing of itself answers no health check, also where the new code answers ${status}`, async (t) => {
    const site = await buildSite(t);
    const healthUrl = await cachedSite(t, site, () => undefined);
    assert.equal((await fetch(healthUrl)).status, 200, 'a visitor has filled it');
    site.push({ status });
    const document = await deploy(quietHost(), site.settings({ healthUrl }));
    assert.equal(document.state, 'rolled-back', site.log());
  });

test('a site that minds a query of our own is asked for the address itself', async (t) => {
  const site = await buildSite(t);
  const healthUrl = await cachedSite(t, site, () => 404);
  site.push({ page: 'two' });
  assert.equal((await deploy(quietHost(), site.settings({ healthUrl }))).state, 'verified', site.log());
});

for (const [name, value] of [
  ['x-cache', 'HIT from proxy'],
  ['cf-cache-status', 'HIT'],
  ['cache-status', 'nginx; hit; ttl=30'],
])
  test(`an answer of which ${name} says that it was kept does not prove a commit`, async (t) => {
    const { site } = await served(t);
    const healthUrl = await answering(t, () => ({ headers: { [name ?? '']: value ?? '' } }));
    assert.equal((await deploy(quietHost(), site.settings({ healthUrl }))).exitCode, 4);
    assert.ok(site.log().includes(`the answer came from a cache (${name}: ${value})`), site.log());
  });

test('every address has to answer 200', async (t) => {
  const { site } = await served(t);
  const second = await answering(t, () => ({ status: site.read('page') === 'two' ? 503 : 200 }));
  const document = await deploy(quietHost(), site.settings({}, { health: { urls: [second] } }));
  assert.equal(document.state, 'rolled-back');
  assert.match(site.log(), /^\[ERROR\] Health check failed \(503\)/m);
});

test('a site that was down before the deploy is logged, and with baseline refuse nothing is touched', async (t) => {
  const { site, commit, stale } = await served(t);
  const healthUrl = await answering(t, () => ({ status: site.head() === commit ? 200 : 500 }));
  const refused = await deploy(quietHost(), site.settings({ healthUrl, baseline: 'refuse' }));
  assert.equal(refused.exitCode, 1);
  assert.equal(site.head(), stale);
  assert.match(site.log(), /^\[ERROR\] The site is unhealthy before the deploy begins \(500\)$/m);
  const repaired = await deploy(quietHost(), site.settings({ healthUrl }));
  assert.equal(repaired.state, 'verified');
  assert.match(site.log(), /^\[INFO\] The site is unhealthy before the deploy begins \(500\)$/m);
});

test('a site that cannot be reached from here is logged before the deploy', async (t) => {
  const { site, stale } = await served(t);
  const refused = await deploy(quietHost(), site.settings({ healthUrl: 'http://127.0.0.1:1/', baseline: 'refuse' }));
  assert.equal(refused.exitCode, 1);
  assert.equal(site.head(), stale);
  assert.match(
    site.log(),
    /^\[ERROR\] The site cannot be reached from here before the deploy begins \(000\): the connection was refused$/m,
  );
});

test('maintenance mode is logged', async (t) => {
  const { site } = await served(t);
  site.write('storage/framework/down', '{}');
  await deploy(quietHost(), site.settings());
  assert.match(site.log(), /^\[INFO\] The application is in maintenance mode/m);
});

test('a redirect is not followed, also where it leads to a 200', async (t) => {
  const { site } = await served(t);
  const good = await answering(t, () => ({}));
  const healthUrl = await answering(t, () => ({ status: 302, headers: { location: good } }));
  assert.equal((await deploy(quietHost(), site.settings({ healthUrl }))).exitCode, 4);
});

test('a refused connection is tried again until the deadline, and decides without one', async (t) => {
  const { site } = await served(t);
  const server = createServer((_, response) => response.end());
  const port = await freePort();
  t.after(() => server.close());
  const healthUrl = `http://127.0.0.1:${port}/`;
  assert.equal((await deploy(quietHost(), site.settings({ healthUrl, baseline: 'skip' }))).exitCode, 4);
  const opening = site.push({ page: 'three' });
  const settings = site.settings({ healthUrl, baseline: 'skip', healthDeadline: '60s' });
  const deployed = deploy(quietHost(), settings);
  await until(() => site.artisanCalls().length > 7, 'the caches of the new commit are built');
  server.listen(port, '127.0.0.1');
  assert.equal((await deployed).state, 'verified', site.log());
  assert.equal(site.head(), opening);
});

test('the body is never read, so a body without an end does not matter', async (t) => {
  const { site } = await served(t);
  const server = createServer((_, response) => {
    response.write('for ever');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const healthUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  assert.equal((await deploy(quietHost(), site.settings({ healthUrl }))).state, 'verified');
});

test('the health request asks for no cached answer', async (t) => {
  const { site } = await served(t);
  const asked: unknown[] = [];
  site.server.on('request', (request) => asked.push(request.headers['cache-control']));
  await deploy(quietHost(), site.settings());
  assert.deepEqual(asked, ['no-cache', 'no-cache'], 'before and after');
});
