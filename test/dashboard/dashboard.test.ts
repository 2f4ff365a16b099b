import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { dashboard } from '../../src/dashboard/dashboard.ts';
import { OperationError } from '../../src/host/errors.ts';
import { nodeHost } from '../../src/host/node.ts';
import { singleReplica } from '../../src/validation/scenarios/single-replica.ts';
import { rehearse } from '../support/rehearse.ts';
import { type Parsed, rowIn } from '../support/results.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const host = nodeHost();
const pageFolder = join(import.meta.dirname, '../../src/dashboard/page');
let journal: readonly string[];
let log: string;

before(async () => {
  const cleanUps: (() => void)[] = [];
  const folder = temporaryFolder({ after: (clean) => cleanUps.push(clean as () => void) });
  await rehearse({ after: () => {} }, { folder, scenarios: [singleReplica] });
  journal = readFileSync(`${folder}/journal.jsonl`, 'utf8').split(/(?<=\n)/);
  log = readFileSync(`${folder}/downtime.log`, 'utf8');
  for (const clean of cleanUps) clean();
});

/** A run folder with so many facts of the journal, served until the test ends. */
async function served(t: TestContext, facts: readonly string[]) {
  const folder = temporaryFolder(t);
  writeFileSync(`${folder}/journal.jsonl`, facts.join(''));
  writeFileSync(`${folder}/downtime.log`, log);
  writeFileSync(`${folder}/settings.json`, '{"secret":"of the folder"}');
  const { port, close } = await dashboard(host, { run: folder }, { port: 0 });
  t.after(close);
  return { folder, port, url: `http://127.0.0.1:${port}` };
}

/** Sends path and `Host` unchanged; `fetch` would normalize both. */
function raw(port: number, path: string, name: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { host: name } }, async (response) => {
      resolve({ status: response.statusCode ?? 0, body: (await response.toArray()).join('') });
    }).on('error', reject);
  });
}

const types: Readonly<Record<string, RegExp>> = { '.js': /^text\/javascript/, '.css': /^text\/css/ };

test('the page and all files that it names are served, and no others', async (t) => {
  const { url } = await served(t, journal);
  const page = await (await fetch(url)).text();
  const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
  assert.ok(named.includes('page.js') && named.includes('page.css'));
  const imported = readdirSync(pageFolder)
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => [...readFileSync(join(pageFolder, file), 'utf8').matchAll(/^import .* from '\.\/(.+)';/gm)])
    .map(([, file]) => file ?? '');
  for (const path of new Set([...named, ...imported])) {
    const { status, headers } = await fetch(`${url}/${path}`);
    assert.equal(status, 200, path);
    const [kind] = Object.entries(types).find(([end]) => path.endsWith(end)) ?? ['', ''];
    assert.match(headers.get('content-type') ?? '', types[kind] ?? /^text\/html/, path);
  }
});

test('no other path is served from a file, and POST is refused', async (t) => {
  const { port, url } = await served(t, journal);
  const name = `127.0.0.1:${port}`;
  for (const path of [
    '/settings.json',
    '/journal.jsonl',
    '/../series.ts',
    '/%2e%2e/series.ts',
    '/tsconfig.json',
    '//page.js',
    '/__proto__',
  ])
    assert.equal((await raw(port, path, name)).status, 404, path);
  assert.equal((await fetch(url, { method: 'POST' })).status, 404);
});

test('a request with a foreign host name is refused', async (t) => {
  const { port } = await served(t, journal);
  for (const name of [`evil.example:${port}`, 'evil.example', '127.0.0.1.evil.example', 'localhost.evil.example'])
    for (const path of ['/', '/events', '/page.js']) {
      const { status, body } = await raw(port, path, name);
      assert.equal(status, 421, `${name} ${path}`);
      assert.doesNotMatch(body, /single-replica/);
    }
  for (const name of [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST'])
    assert.equal((await raw(port, '/', name)).status, 200, name);
});

test('the Content-Security-Policy allows the page’s own files and nothing else', async (t) => {
  const { url } = await served(t, journal);
  for (const path of ['/', '/page.js', '/missing']) {
    const { headers } = await fetch(`${url}${path}`);
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "trusted-types 'none'"])
      assert.ok(policy.includes(rule), `${path}: ${rule}`);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('access-control-allow-origin'), null);
  }
});

test('a finished run is sent as one series and an end event', async (t) => {
  const { url } = await served(t, journal);
  const response = await fetch(`${url}/events`, { signal: AbortSignal.timeout(10_000) });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  const text = await response.text();
  const [series, end, ...more] = text.trimEnd().split('\n\n');
  assert.match(series ?? '', /^event: series\ndata: \{[^\n]*"single-replica"[^\n]*\}$/);
  assert.equal(end, 'event: end\ndata: {}');
  assert.deepEqual(more, []);
  assert.doesNotMatch(text, /of the folder|"intent"/);
});

test('the changes of a live run are sent as they are appended, and only those', async (t) => {
  const finished = journal.findIndex((line) => line.includes('"scenario-finished"'));
  const { folder, url } = await served(t, journal.slice(0, finished));
  const events = eventsOf(await fetch(`${url}/events`));
  const first = await events();
  assert.equal(first.name, 'series');
  assert.equal(rowIn<Parsed>(first.data, 'single-replica').verdict, null);
  appendFileSync(`${folder}/journal.jsonl`, journal[finished]?.slice(0, 10) ?? '');
  appendFileSync(`${folder}/journal.jsonl`, journal[finished]?.slice(10) ?? '');
  let news = await events();
  while (news.data.scenarios === undefined) news = await events();
  assert.equal(rowIn<Parsed>(news.data, 'single-replica').verdict, 'pass');
  assert.equal(news.data.run, undefined, 'it was sent before');
  appendFileSync(`${folder}/journal.jsonl`, journal.slice(finished + 1).join(''));
  while (news.name !== 'end') news = await events();
});

test('a run that has not started is sent as waiting, and then as a series', async (t) => {
  const { folder, url } = await served(t, []);
  const events = eventsOf(await fetch(`${url}/events`));
  const { name, data } = await events();
  assert.equal(name, 'waiting');
  assert.match(data.because, /has not started/);
  appendFileSync(`${folder}/journal.jsonl`, journal.join(''));
  assert.equal((await events()).name, 'series');
});

test('a log of a later version is sent as the reason for waiting', async (t) => {
  const { folder, url } = await served(t, journal);
  writeFileSync(`${folder}/downtime.log`, '# holdfast downtime-log 9 target=http://app.example/ interval=1s\n');
  const events = eventsOf(await fetch(`${url}/events`));
  const { name, data } = await events();
  assert.equal(name, 'waiting');
  assert.match(data.because, /version 9/);
});

test('a port that is taken is an error that names it', async (t) => {
  const { folder, port } = await served(t, journal);
  await assert.rejects(
    dashboard(host, { run: folder }, { port }),
    (error) => error instanceof OperationError && error.message.includes(`${port}`),
  );
});

/** The next event of a stream, without comments. */
function eventsOf({ body }: Response) {
  assert.ok(body);
  const pieces = body.pipeThrough(new TextDecoderStream()).getReader();
  let begun = '';
  // biome-ignore lint/suspicious/noExplicitAny: a test reads a member or two of what came over the wire.
  return async function next(): Promise<{ readonly name: string; readonly data: any }> {
    const end = begun.indexOf('\n\n');
    if (end === -1) {
      const { value, done } = await pieces.read();
      assert.ok(!done, 'the stream ended');
      begun += value;
      return next();
    }
    const event = begun.slice(0, end);
    begun = begun.slice(end + 2);
    const [, name, data] = /^event: (.+)\ndata: (.+)$/.exec(event) ?? [];
    return name === undefined || data === undefined ? next() : { name, data: JSON.parse(data) };
  };
}
