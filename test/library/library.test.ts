import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { nodeFiles } from '../../src/host/files.ts';
import { readJournal } from '../../src/journal/journal.ts';
import { analyze, deploy, monitor, rehearse, UsageError } from '../../src/library/index.ts';
import type { ValidationFact } from '../../src/validation/record/events.ts';
import { openIntents } from '../../src/validation/record/open-intents.ts';
import { buildSite } from '../deployment/support/site.ts';
import { holdfast } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const scenarios = ['single-replica'];

test('a rehearsal resolves to the document of rehearse --json, and tells what happens', async (t) => {
  const told: string[] = [];
  const run = await rehearse({
    scenarios,
    seed: 3,
    onProgress: ({ type, scenario }) => told.push(`${type} ${scenario}`),
  });
  assert.ok(told.includes('scenario-finished single-replica'));
  const folder = temporaryFolder(t);
  const words = ['rehearse', '--json', '--quiet', '--seed', '3', '--scenario', ...scenarios, '--out', 'run'];
  assert.deepEqual(JSON.parse(JSON.stringify(run)), JSON.parse(holdfast(folder, words).stdout));
});

test('two rehearsals at once in one process do not disturb each other', async () => {
  const both = await Promise.all([rehearse({ scenarios }), rehearse({ scenarios })]);
  assert.deepEqual(both[0], both[1]);
});

/** Demands that it rejects with these sentences, all at once. */
async function refused(promise: Promise<unknown>, ...sentences: readonly RegExp[]): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof UsageError);
    assert.equal(error.mistakes.length, sentences.length, error.message);
    for (const [index, sentence] of sentences.entries()) assert.match(error.mistakes[index] ?? '', sentence);
    return true;
  });
}

test('bad input rejects with every mistake, before anything is done', async () => {
  await refused(
    rehearse({ seed: -1, scenarios: ['nope'], settings: { ulr: 'http://x/' } }),
    /--seed is '-1'/,
    /no scenario nope/,
    /validation\.ulr is not a known setting; did you mean url\?/,
  );
  await refused(rehearse({ files: ['/nowhere/k8s'] }), /\/nowhere\/k8s/);
  await refused(analyze('no log', {}), /not a downtime log/);
  await refused(analyze('', { slow: 'soon' }), /--slow is 'soon'/);
  await refused(monitor({ url: 'shop' }).summary, /URL is 'shop'/);
  await refused(
    deploy({ appDir: '/srv/app', branch: 'main', logFile: '/tmp/log', variant: 'basic', branc: 'x' }),
    /branc is not a known setting/,
  );
});

test('an abort rejects with its reason when everything is put back', async (t) => {
  const out = join(temporaryFolder(t), 'run');
  const reason = new Error('that is enough');
  const stop = new AbortController();
  const onProgress = ({ type }: { readonly type: string }) => {
    if (type === 'action-performed') stop.abort(reason);
  };
  await assert.rejects(rehearse({ scenarios: ['node-drain'], out, signal: stop.signal, onProgress }), reason);
  const read = await readJournal<ValidationFact>(nodeFiles(), join(out, 'journal.jsonl'));
  const facts = read?.facts ?? [];
  assert.ok(facts.some(({ type }) => type === 'run-interrupted'));
  assert.deepEqual(
    openIntents(facts, { cleanup: false }).filter(({ action }) => action !== 'apply-object'),
    [],
  );
  assert.equal(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')).verdict, 'inconclusive');

  const before = readdirSync('.');
  await assert.rejects(rehearse({ signal: stop.signal }), reason, 'it was aborted before');
  assert.deepEqual(readdirSync('.'), before, 'nothing is written but where the caller says so');
});

test('a log is analyzed as its text or as a stream of its pieces', async () => {
  const lines = ['200 0.011', '503 0.004', '200 0.012'].map((line, n) => `2026-11-20T10:00:0${n}Z ${line}\n`);
  const { downtime, outages } = await analyze(lines.join(''));
  assert.deepEqual([downtime.seconds, outages.length], [1, 1]);
  async function* pieces() {
    for (const line of lines) yield Buffer.from(line);
  }
  assert.deepEqual((await analyze(pieces())).downtime, downtime);
  assert.equal((await analyze(lines, { expect: 503 })).outages.length, 2, 'the other answers are the bad ones');
});

/** A server that answers with these statuses, one after the other, the last one for ever. */
async function served(t: TestContext, ...statuses: readonly number[]): Promise<string> {
  let asked = 0;
  const server = createServer((_, response) => {
    const status = statuses[Math.min(asked, statuses.length - 1)] ?? 200;
    asked += 1;
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('a monitor hands out each sample, and its summary when the loop is left', async (t) => {
  const watching = monitor({ url: await served(t, 503, 503, 200), interval: '100ms', reused: false });
  const kinds: (string | undefined)[] = [];
  for await (const { kind } of watching) if (kinds.push(kind) === 4) break;
  assert.deepEqual(kinds.slice(0, 2), ['503', '503']);
  assert.equal(kinds.at(-1), undefined);
  const { log, outages } = await watching.summary;
  assert.ok(log.samples >= 4 && outages.length === 1, JSON.stringify(outages));
});

test('an abort ends a monitor with its reason, and its log is whole', async (t) => {
  const log = join(temporaryFolder(t), 'downtime.log');
  const stop = new AbortController();
  const reason = new Error('stopped');
  const watching = monitor({ url: await served(t, 200), interval: '100ms', log, signal: stop.signal });
  await assert.rejects(async () => {
    for await (const _ of watching) stop.abort(reason);
  }, reason);
  await assert.rejects(watching.summary, reason);
  assert.match(readFileSync(log, 'utf8'), /^# end/m);
});

test('a deploy resolves to the document of deploy --json, and tells its steps', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two' });
  const told: string[] = [];
  const { appDir, branch, logFile } = site.settings();
  const document = await deploy(
    { appDir, branch, logFile, variant: 'basic', preset: 'none' },
    { onProgress: ({ type, text }) => told.push(`${type} ${text}`) },
  );
  assert.deepEqual([document.state, document.newCommit, site.head()], ['updated', commit, commit]);
  assert.ok(told.includes('step-finished fetch'), told.join('\n'));
});
