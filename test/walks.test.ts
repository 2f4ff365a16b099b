import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** The fenced blocks of a walk, each as its lines. */
function blocksOf(page: string): readonly (readonly string[])[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block.trimEnd().split('\n'));
}

interface Typed {
  readonly command: string;
  /** What the page shows below it; `…` stands for lines that it leaves out. */
  readonly shown: readonly string[];
}

/** What a reader types after `$`, with what the page shows; a block without `$` is typed whole, and shows nothing. */
function typedIn(block: readonly string[]): readonly Typed[] {
  if (!block.some((line) => line.startsWith('$ '))) return [{ command: block.join('\n'), shown: [] }];
  const typed: { command: string; shown: string[] }[] = [];
  for (const line of block) {
    if (line.startsWith('$ ')) typed.push({ command: line.slice(2), shown: [] });
    else typed.at(-1)?.shown.push(line);
  }
  return typed;
}

/** What differs from machine to machine and from run to run is one word of each kind. */
function normal(text: string): string {
  return text
    .replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT')
    .replaceAll(/\b[0-9a-f]{7}\b/g, 'SHORT')
    .replaceAll(/\d{8}T\d{6}Z-[0-9a-f]{4}/g, 'RUN')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/\/\S*\/holdfast-try/g, 'TRY')
    .replaceAll(/(?<=: )(?:\d+ ms|\d+(?:\.\d+)? s)$/gm, 'SECONDS')
    .replaceAll(/(?<=, by )\S+$/gm, 'USER')
    .replaceAll(/\d+ MiB/g, 'MIB')
    .replaceAll(/(?<=program +)\/\S+/g, 'PROGRAM');
}

/** The lines that are shown come in this order in what was printed. */
function comesIn(shown: readonly string[], printed: string, command: string): void {
  const lines = normal(printed).split('\n');
  let from = 0;
  for (const line of shown.filter((one) => one.trim() !== '' && one.trim() !== '…')) {
    const at = lines.indexOf(normal(line), from);
    assert.ok(at >= 0, `${command}\nshows “${line}”, and printed was\n${printed}`);
    from = at + 1;
  }
}

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-walk-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('the walk “A first validation” shows what its commands print', (t) => {
  const folder = temporary(t);
  const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
  const holdfast = `${process.execPath} ${join(root, 'bin/holdfast.js')}`;
  let status: number | null = 0;
  for (const { command, shown } of blocksOf('docs/first-validation.md').flatMap(typedIn)) {
    if (command === 'npm ci') continue;
    if (command === 'echo $?') {
      assert.deepEqual(shown, [String(status)]);
      continue;
    }
    const script = `${command.replace('npx holdfast', holdfast)} 2>&1 | cat; exit \${PIPESTATUS[0]}`;
    const ran = spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
    status = ran.status;
    comesIn(command.startsWith('ls ') ? shown.join(' ').split(/\s+/) : shown, ran.stdout, command);
  }
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test('the walk “A first deploy” shows what its commands print', { skip: !hasPython && 'needs python3' }, async (t) => {
  const home = temporary(t);
  symlinkSync(root, join(home, 'clone'));
  const port = await freePort();
  const typed = blocksOf('docs/first-deploy.md').flatMap(typedIn);
  const isLog = ({ command }: Typed) => command.startsWith('=====');
  const marked = typed
    .filter((one) => !isLog(one) && !one.command.startsWith('kill '))
    .map(({ command }) => `echo; echo '#next'\n${command.replaceAll('8765', String(port))}`);
  const ready = `for i in $(seq 50); do curl -s http://127.0.0.1:${port}/ > /dev/null && break; sleep 0.1; done`;
  const script = ['shopt -s expand_aliases; set -m; cd clone; exec 2>&1', ...marked, 'cat deploy.log; kill %1'].join(
    '\n',
  );
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' };
  const waiting = script.replace(/^(python3 -m http\.server.*)$/m, `$1\n${ready}`);
  const { stdout } = spawnSync('bash', ['-c', waiting], { cwd: home, env, encoding: 'utf8' });
  const printed = stdout.split('#next\n').slice(1);
  for (const [index, { command, shown }] of typed.filter((one) => !isLog(one)).entries())
    comesIn(shown, printed[index] ?? '', command);
  for (const { command } of typed.filter(isLog)) comesIn(command.split('\n'), printed.at(-1) ?? '', 'cat deploy.log');
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
