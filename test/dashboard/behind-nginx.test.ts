import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dashboard } from '../../src/dashboard/dashboard.ts';
import { nodeHost } from '../../src/host/node.ts';
import { needs } from '../support/needs.ts';
import { nginx } from '../support/nginx.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/dashboard.md'), 'utf8');
/** The location of the page's example. */
const [, example = ''] = /```nginx\n([\s\S]*?)```/.exec(page) ?? [];

test('behind the nginx of docs/dashboard.md a password opens the pages, and what is new comes at once', async (t) => {
  if (!needs(t, 'nginx')) return;
  const folder = temporaryFolder(t);
  const served = await dashboard(nodeHost(), { runs: async () => [], noDeploys: 'none' }, { port: 0 });
  t.after(served.close);
  writeFileSync(`${folder}/htpasswd`, 'ops:{PLAIN}secret\n');
  const location = example
    .replace('127.0.0.1:8080', `127.0.0.1:${served.port}`)
    .replace('/etc/nginx/holdfast.htpasswd', `${folder}/htpasswd`);
  assert.match(location, new RegExp(`proxy_pass http://127.0.0.1:${served.port}/;`));
  const server = await nginx(folder, (_, port) => `server { listen 127.0.0.1:${port};\n${location} }`);
  await server.start();
  t.after(server.stop);
  const ask = (path: string, password?: string) =>
    fetch(`http://127.0.0.1:${server.port}/holdfast/${path}`, {
      signal: AbortSignal.timeout(20_000),
      headers: password === undefined ? {} : { authorization: `Basic ${btoa(`ops:${password}`)}` },
    });
  assert.deepEqual([(await ask('')).status, (await ask('', 'wrong')).status], [401, 401]);
  for (const path of ['', 'overview', 'overview.js', 'report.css'])
    assert.equal((await ask(path, 'secret')).status, 200);
  const events = await ask('overview-events', 'secret');
  const { value } = (await events.body?.getReader().read()) ?? {};
  assert.match(new TextDecoder().decode(value), /^event: overview\ndata: /);
});
