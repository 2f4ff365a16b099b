import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Context } from '../../../src/cli/command/context.ts';
import { dashboard } from '../../../src/cli/commands/dashboard.ts';
import { UsageError } from '../../../src/host/errors.ts';
import type { Host } from '../../../src/host/host.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const real = nodeHost();

/** A host for the command in that folder: the test awaits the first text that it prints, and sends it the signal. */
function surroundings(folder: string, json: boolean) {
  const { promise: said, resolve: write } = Promise.withResolvers<string>();
  let interrupt = (): void => undefined;
  const onSignal: Host['onSignal'] = (_, listener) => {
    interrupt = () => listener('SIGINT');
    return () => undefined;
  };
  const inFolder = (path: string): string => (path.startsWith('/') ? path : `${folder}/${path}`);
  const files: Host['files'] = {
    ...real.files,
    list: (path) => real.files.list(inFolder(path)),
    stat: (path) => real.files.stat(inFolder(path)),
  };
  const host = { ...real, files, onSignal, out: { ...real.out, write }, talk: { ...real.talk, write: () => {} } };
  const context: Context = {
    host,
    environment: {},
    version: '0.0.0',
    flags: { json, quiet: false, verbose: false, color: false },
  };
  return { context, said, interrupt: () => interrupt() };
}

function runFolder(folder: string, name: string): void {
  mkdirSync(`${folder}/runs/${name}`, { recursive: true });
  writeFileSync(`${folder}/runs/${name}/journal.jsonl`, '');
}

test('dashboard prints its address, serves until a signal, and exits 0', async (t) => {
  const folder = temporaryFolder(t);
  runFolder(folder, 'one');
  const { context, said, interrupt } = surroundings(folder, false);
  const ended = dashboard(context, { operands: [`${folder}/runs/one`], options: {} });
  const text = await said;
  assert.match(text, /^http:\/\/127\.0\.0\.1:\d+\/\n$/);
  assert.equal((await fetch(text.trim())).status, 200);
  interrupt();
  assert.equal(await ended, 0);
  await assert.rejects(fetch(text.trim()));
});

test('without an argument dashboard shows the run that was written last, also one of --repeat', async (t) => {
  const folder = temporaryFolder(t);
  for (const [index, name] of ['try', '2026-11-20T10-00-00Z-cluster/2', '2026-11-20T11-00-00Z-cluster'].entries()) {
    runFolder(folder, name);
    utimesSync(`${folder}/runs/${name}/journal.jsonl`, 1000 + index, 1000 + index);
  }
  writeFileSync(`${folder}/runs/notes.txt`, '');
  const shown = async () => {
    const { context, said, interrupt } = surroundings(folder, true);
    const ended = dashboard(context, { operands: [], options: {} });
    const { run } = JSON.parse(await said);
    interrupt();
    await ended;
    return run;
  };
  assert.equal(await shown(), 'runs/2026-11-20T11-00-00Z-cluster');
  writeFileSync(`${folder}/runs/2026-11-20T10-00-00Z-cluster/2/journal.jsonl`, '');
  assert.equal(await shown(), 'runs/2026-11-20T10-00-00Z-cluster/2');
  utimesSync(`${folder}/runs/2026-11-20T10-00-00Z-cluster/2/journal.jsonl`, 1000, 1000);
  writeFileSync(`${folder}/runs/try/downtime.log`, '');
  assert.equal(await shown(), 'runs/try');
});

test('an impossible journal is a defect of the program: the page is a 500, and the command fails', {
  timeout: 60_000,
}, async (t) => {
  const folder = temporaryFolder(t);
  runFolder(folder, 'one');
  const started = { at: '2026-11-20T10:00:00.000Z', type: 'run-started' };
  writeFileSync(`${folder}/runs/one/journal.jsonl`, `${JSON.stringify(started)}\n`);
  const { context, said } = surroundings(folder, false);
  const ended = assert.rejects(dashboard(context, { operands: [`${folder}/runs/one`], options: {} }), TypeError);
  assert.equal((await fetch(`${(await said).trim()}events`)).status, 500);
  await ended;
});

test('without an argument dashboard shows the newest folder of runs/ that has a journal', async (t) => {
  const folder = temporaryFolder(t);
  runFolder(folder, '2026-11-20T10-00-00Z-rehearsal');
  runFolder(folder, '2026-11-20T11-00-00Z-cluster');
  mkdirSync(`${folder}/runs/2026-11-20T12-00-00Z-rehearsal`);
  const { context, said, interrupt } = surroundings(folder, true);
  const ended = dashboard(context, { operands: [], options: { port: '0' } });
  const { run, url, schemaVersion } = JSON.parse(await said);
  assert.equal(run, 'runs/2026-11-20T11-00-00Z-cluster');
  assert.match(url, /^http:\/\/127\.0\.0\.1:/);
  assert.equal(schemaVersion, 1);
  interrupt();
  assert.equal(await ended, 0);
});

test('a folder without a run, no run at all and an invalid port are mistakes', async (t) => {
  const folder = temporaryFolder(t);
  const { context } = surroundings(folder, false);
  const mistake = (operands: readonly string[], options: Readonly<Record<string, unknown>>, words: RegExp) =>
    assert.rejects(
      dashboard(context, { operands, options }),
      (error) => error instanceof UsageError && words.test(error.message),
    );
  await mistake([folder], {}, /is not a run folder/);
  await mistake([], {}, /no run in runs/);
  for (const port of ['70000', 'abc', '', '-1', '1e3', '8080.5', ' 80'])
    await mistake([folder], { port }, /--port is '.*', which is not a whole number from 0 to 65535\.$/);
});

test('a port in use is a mistake that names it', async (t) => {
  const folder = temporaryFolder(t);
  runFolder(folder, 'one');
  const first = surroundings(folder, false);
  const ended = dashboard(first.context, { operands: [`${folder}/runs/one`], options: {} });
  const { port } = new URL(await first.said);
  const second = dashboard(surroundings(folder, false).context, {
    operands: [`${folder}/runs/one`],
    options: { port },
  });
  await assert.rejects(second, (error) => error instanceof UsageError && error.message.includes(port));
  first.interrupt();
  await ended;
});
