import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'holdfast-package-'));
after(() => rmSync(folder, { recursive: true }));

const sh = (command: string, ...words: string[]) =>
  spawnSync(command, words, { cwd: folder, encoding: 'utf8', timeout: 120_000 });

/** The package as `npm install holdfast-….tgz` lays it out: it has no dependencies. */
function install(): string {
  cpSync(root, join(folder, 'source'), {
    recursive: true,
    filter: (path) => !['node_modules', '.git', 'runs', 'dist'].some((name) => path === join(root, name)),
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'source', 'node_modules'));
  const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: join(folder, 'source'),
    encoding: 'utf8',
    timeout: 120_000,
  });
  assert.equal(packed.status, 0, packed.stderr);
  const [tarball] = globSync('holdfast-*.tgz', { cwd: folder });
  assert.ok(tarball, packed.stdout + packed.stderr);
  mkdirSync(join(folder, 'node_modules'));
  assert.equal(sh('tar', 'xzf', tarball, '-C', 'node_modules').status, 0);
  return join(folder, 'node_modules', 'package');
}

const installed = install();
const holdfast = (...words: string[]) => sh(process.execPath, join(installed, 'bin/holdfast.js'), ...words);

test('the package holds dist/ and no source', () => {
  assert.deepEqual(readdirSync(installed).toSorted(), [
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bin',
    'dist',
    'docs',
    'package.json',
    'packaging',
    'schemas',
  ]);
  const sources = globSync('**/*.ts', { cwd: installed }).filter((path) => !path.endsWith('.d.ts'));
  assert.deepEqual(sources, []);
});

test('it needs no other package, and takes at most 15 MB', () => {
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  );
  assert.deepEqual([dependencies, optionalDependencies, peerDependencies], [undefined, undefined, undefined]);
  const files = globSync('**/*', { cwd: installed }).map((path) => statSync(join(installed, path)));
  const bytes = files.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
  assert.ok(bytes <= 15_000_000, `${bytes} bytes`);
});

test('the program runs from its package', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(holdfast('--version').stdout.trim(), version);
  const help = holdfast('--help');
  assert.equal(help.status, 0);
  assert.match(help.stdout, /rehearse[\s\S]*monitor[\s\S]*analyze[\s\S]*deploy/);
});

test('a rehearsal runs from the package', () => {
  const run = holdfast('rehearse', '--scenario', 'single-replica', '--out', join(folder, 'run'), '--quiet');
  assert.equal(run.status, 0, run.stdout + run.stderr);
  assert.match(run.stdout, /Scenario +Downtime +Node Replacement Time +Pod Ready Time/);
});

test('the package reads a settings file and manifests', () => {
  const settings = join(folder, 'holdfast.yaml');
  writeFileSync(settings, 'deployment: { branch: 7 }\n');
  const refused = holdfast('deploy', '--config', settings);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /deployment\.branch.*which is not text/);
  const manifest = join(folder, 'pod.yaml');
  writeFileSync(manifest, 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: {}\n---\n');
  const audited = holdfast('audit', '-f', manifest);
  assert.doesNotMatch(audited.stderr, /defect/);
  assert.notEqual(audited.stdout + audited.stderr, '');
});

test('the library is imported by its name, with types, and its examples run', () => {
  symlinkSync('package', join(folder, 'node_modules/holdfast'));
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
  // With this variable `node --test` would run no file, because a test runs it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const words = ['--test', 'examples/library/manifests.test.js'];
  const ran = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8', timeout: 120_000, env });
  assert.equal(ran.status, 0, ran.stdout + ran.stderr);
  assert.match(ran.stdout, /pass 1/);
  const types = join(folder, 'node_modules/@types/node');
  mkdirSync(join(types, '..'), { recursive: true });
  if (!existsSync(types)) symlinkSync(join(root, 'node_modules/@types/node'), types);
  writeFileSync(join(folder, 'consumer.mts'), consumer);
  const flags = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'esnext', '--types', 'node'];
  const typed = sh(join(root, 'node_modules/.bin/tsc'), ...flags, 'consumer.mts');
  assert.equal(typed.status, 0, typed.stdout);
  assert.match(typed.stdout, /^$/);
});

/** A wrong use is an error, so that a type that became `any` fails. */
const consumer = `
import { analyze, deploy, monitor, rehearse, type RunDocument, UsageError } from 'holdfast';
const run: RunDocument = await rehearse({ files: ['k8s'], seed: 2, onProgress: ({ at, type }) => console.log(at, type) });
const verdict: 'pass' | 'fail' | 'inconclusive' | 'error' = run.verdict;
// @ts-expect-error: no such option
await rehearse({ sed: 1 });
// @ts-expect-error: a number
const seconds: string = (await analyze('')).downtime.seconds;
const watching = monitor({ url: 'http://x/', signal: AbortSignal.timeout(1) });
for await (const { status } of watching) console.log(status.toFixed());
const { state } = await deploy({}, { signal: AbortSignal.timeout(1) });
// @ts-expect-error: no such state
if (state === 'done') console.log(verdict, seconds, (new UsageError([])).mistakes);
`;

test('the dashboard finds its page in the package', async (t) => {
  writeFileSync(join(folder, 'journal.jsonl'), '');
  const program = join(installed, 'bin/holdfast.js');
  const running = spawn(process.execPath, [program, 'dashboard', folder, '--quiet'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => running.kill('SIGKILL'));
  const [url] = await once(running.stdout, 'data');
  for (const path of ['', 'page.js', 'page.css']) {
    const { status } = await fetch(`${String(url).trim()}${path}`);
    assert.equal(status, 200, path);
  }
  running.kill('SIGTERM');
  assert.deepEqual(await once(running, 'exit'), [0, null]);
});

test('a clone runs what was built of it, until a source is changed', () => {
  const source = join(folder, 'source');
  const main = join(source, 'src/cli/main.ts');
  const version = () => sh(process.execPath, join(source, 'bin/holdfast.js'), '--version').stdout.trim();
  const built = version();
  writeFileSync(join(source, 'dist/cli/main.js'), "process.stdout.write('what was built')");
  assert.equal(version(), 'what was built');
  writeFileSync(main, readFileSync(main));
  assert.equal(version(), built);
});

test('a link that leads nowhere, as an editor’s lock, stops no command', () => {
  const source = join(folder, 'source');
  symlinkSync('someone@somewhere.4711', join(source, 'src/cli/.#main.ts'));
  writeFileSync(join(source, 'dist/cli/main.js'), "process.stdout.write('what was built')");
  const later = Date.now() / 1000 + 1;
  utimesSync(join(source, 'dist/cli/main.js'), later, later);
  const { stdout, stderr } = sh(process.execPath, join(source, 'bin/holdfast.js'), '--version');
  assert.deepEqual([stdout, stderr], ['what was built', '']);
  rmSync(join(source, 'src/cli/.#main.ts'));
});

test('a source that is gone counts as a change', () => {
  const source = join(folder, 'source');
  writeFileSync(join(source, 'src/cli/unused.ts'), '');
  writeFileSync(join(source, 'dist/cli/main.js'), "process.stdout.write('what was built')");
  rmSync(join(source, 'src/cli/unused.ts'));
  assert.notEqual(sh(process.execPath, join(source, 'bin/holdfast.js'), '--version').stdout, 'what was built');
});

test('on an older Node it says so in one sentence and exits 2', () => {
  const older = `Object.defineProperty(process.versions, 'node', { value: '22.9.0' }); await import(${JSON.stringify(join(installed, 'bin/holdfast.js'))});`;
  const run = sh(process.execPath, '--input-type=module', '-e', older);
  assert.equal(run.status, 2);
  assert.match(run.stderr, /^holdfast needs Node 24\.12 or newer, and this is Node 22\.9\.0: [^\n]+\.\n$/);
  assert.equal(run.stdout, '');
});

test('compiled code comes from a folder that nobody else can write to', () => {
  const uid = process.getuid?.();
  const cachedIn = (prepare: (cache: string) => void): number => {
    const temporary = mkdtempSync(join(folder, 'tmp-'));
    const cache = join(temporary, `holdfast-${uid}`);
    prepare(cache);
    const env = { ...process.env, TMPDIR: temporary, NODE_COMPILE_CACHE: undefined };
    const run = spawnSync(process.execPath, [join(installed, 'bin/holdfast.js'), '--version'], { env });
    assert.equal(run.status, 0);
    assert.deepEqual(readdirSync(temporary), [`holdfast-${uid}`]);
    return globSync('**/*', { cwd: cache }).length;
  };
  assert.ok(cachedIn(() => undefined) > 1);
  const shared = (cache: string): void => {
    mkdirSync(cache);
    chmodSync(cache, 0o777);
  };
  assert.equal(cachedIn(shared), 0);
  assert.equal(
    cachedIn((cache) => symlinkSync(mkdtempSync(join(folder, 'elsewhere-')), cache)),
    0,
  );
});

test('every program that package.json names can be executed', () => {
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const path of Object.values<string>(bin))
    assert.match(readFileSync(join(installed, path), 'utf8'), /^#!\/usr\/bin\/env node\n/);
});

test('the lock file holds every package of every platform, and no address of a registry', () => {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const optional = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  // Without its entry `npm ci` refuses on every platform.
  assert.deepEqual(
    optional.filter((name) => packages[`node_modules/${name}`] === undefined),
    [],
  );
  assert.doesNotMatch(text, /"resolved": "https?:/);
});

test('no file of the repository is binary but pictures and recordings that are packed', (t) => {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) return t.skip('this is no checkout of git');
  const others = stdout.split('\0').filter((path) => path !== '' && !/\.(png|jsonl?\.gz)$/.test(path));
  const binary = others.filter((path) => existsSync(join(root, path)) && readFileSync(join(root, path)).includes(0));
  assert.deepEqual(binary, []);
});
