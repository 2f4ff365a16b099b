import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Context } from '../../../src/cli/command/context.ts';
import { dashboard } from '../../../src/cli/commands/dashboard.ts';
import { UsageError } from '../../../src/host/errors.ts';
import type { Host } from '../../../src/host/host.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { started } from '../../support/run-facts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const real = nodeHost();

/** A host for the command in that folder: the test awaits the first text that it prints, and sends it the signal. */
function surroundings(folder: string, json: boolean) {
  const { promise: said, resolve: write } = Promise.withResolvers<string>();
  let interrupt = (): void => undefined;
  let talked = '';
  const onSignal: Host['onSignal'] = (_, listener) => {
    interrupt = () => listener('SIGINT');
    return () => undefined;
  };
  const inFolder = (path: string): string => (path.startsWith('/') ? path : `${folder}/${path}`);
  const files: Host['files'] = {
    ...real.files,
    list: (path) => real.files.list(inFolder(path)),
    read: (path) => real.files.read(inFolder(path)),
    stat: (path) => real.files.stat(inFolder(path)),
  };
  const say = (text: string): void => {
    talked += text;
  };
  const host = { ...real, files, onSignal, out: { ...real.out, write }, talk: { ...real.talk, write: say } };
  const context: Context = {
    host,
    environment: {},
    version: '0.0.0',
    flags: { json, quiet: false, verbose: false, color: false },
  };
  return { context, said, interrupt: () => interrupt(), talked: () => talked };
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
  assert.match(text, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\/\n$/);
  assert.equal((await fetch(text.trim())).status, 200);
  interrupt();
  assert.equal(await ended, 0);
  await assert.rejects(fetch(text.trim()));
});

test('without an argument dashboard lists all runs, those of --repeat too, the one that was written last first', async (t) => {
  const folder = temporaryFolder(t);
  for (const [index, name] of ['try', '2026-11-20T10-00-00Z-cluster/2', '2026-11-20T11-00-00Z-cluster'].entries()) {
    runFolder(folder, name);
    writeFileSync(`${folder}/runs/${name}/journal.jsonl`, `${JSON.stringify(started())}\n`);
    utimesSync(`${folder}/runs/${name}/journal.jsonl`, 1000 + index, 1000 + index);
  }
  writeFileSync(`${folder}/runs/notes.txt`, '');
  mkdirSync(`${folder}/runs/2026-11-20T12-00-00Z-rehearsal`);
  runFolder(folder, 'impossible');
  writeFileSync(`${folder}/runs/impossible/journal.jsonl`, '{"at":"2026-11-20T10:00:00.000Z","type":"run-started"}\n');
  utimesSync(`${folder}/runs/impossible/journal.jsonl`, 1, 1);
  const { context, said, interrupt } = surroundings(folder, true);
  const ended = dashboard(context, { operands: [], options: { port: '0' } });
  const { run, url, schemaVersion } = JSON.parse(await said);
  assert.deepEqual([run, schemaVersion], [null, 1]);
  const { runs, noDeploys } = await firstOf(`${url}overview-events`);
  assert.deepEqual(
    runs.map((one: { folder: string }) => one.folder),
    ['runs/2026-11-20T11-00-00Z-cluster', 'runs/2026-11-20T10-00-00Z-cluster/2', 'runs/try', 'runs/impossible'],
  );
  assert.equal(runs.at(-1).state, 'unreadable');
  assert.match(noDeploys, /no checkout is named by --app-dir, APP_DIR or deployment\.appDir/);
  interrupt();
  assert.equal(await ended, 0);
});

/** The data of the first event of a stream. */
async function firstOf(address: string) {
  const { body } = await fetch(address);
  assert.ok(body);
  let text = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes('\n\n')) break;
  }
  return JSON.parse(/^event: .+\ndata: (.+)$/m.exec(text)?.[1] ?? '');
}

test('--no-token prints an address without one, and says who can open it', async (t) => {
  const folder = temporaryFolder(t);
  runFolder(folder, 'one');
  const { context, said, interrupt, talked } = surroundings(folder, false);
  const ended = dashboard(context, { operands: [], options: { token: false } });
  const text = await said;
  assert.match(text, /^http:\/\/127\.0\.0\.1:\d+\/\n$/);
  assert.equal((await fetch(`${text.trim()}overview`)).status, 200);
  interrupt();
  await ended;
  assert.match(talked(), /everybody with an account on this machine can open it/);
});

test('the deploys of APP_DIR are shown; a checkout that cannot be read is a mistake only where --app-dir names it', async (t) => {
  const folder = temporaryFolder(t);
  runFolder(folder, 'one');
  for (const name of ['objects', 'refs', 'holdfast']) mkdirSync(`${folder}/app/.git/${name}`, { recursive: true });
  writeFileSync(`${folder}/app/.git/HEAD`, 'ref: refs/heads/main\n');
  writeFileSync(`${folder}/app/.git/config`, '[core]\n\tbare = false\n');
  const overview = async (environment: Readonly<Record<string, string>>) => {
    const { context, said, interrupt } = surroundings(folder, true);
    const ended = dashboard({ ...context, environment }, { operands: [], options: {} });
    const first = await firstOf(`${JSON.parse(await said).url}overview-events`);
    interrupt();
    await ended;
    return first;
  };
  assert.equal((await overview({ APP_DIR: `${folder}/app` })).directory, `${folder}/app`);
  assert.match((await overview({ APP_DIR: `${folder}/gone` })).noDeploys, /gone does not exist/);
  const { context } = surroundings(folder, false);
  await assert.rejects(
    dashboard(context, { operands: [], options: { appDir: `${folder}/gone` } }),
    /gone does not exist/,
  );
});

test('a journal whose facts lack members is damaged, and the dashboard goes on', async (t) => {
  const folder = temporaryFolder(t);
  runFolder(folder, 'one');
  const impossible = { at: '2026-11-20T10:00:00.000Z', type: 'run-started' };
  writeFileSync(`${folder}/runs/one/journal.jsonl`, `${JSON.stringify(impossible)}\n`);
  const { context, said, interrupt } = surroundings(folder, false);
  const ended = dashboard(context, { operands: [`${folder}/runs/one`], options: {} });
  const stream = await fetch(`${(await said).trim()}events`);
  assert.equal(stream.status, 200);
  await stream.body?.cancel();
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
