// npm run release -- 0.2.0 [--out DIR] [--dry-run]: writes the version and its section of the changelog, commits and
// tags them here, builds everything in two clones of that commit, and keeps it where both have the same bytes. It sends
// nothing anywhere. `--dry-run` does all of it in a clone that it removes.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cwd, execPath, exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { released } from './release-notes.ts';

const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: 'release' }, 'dry-run': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const work = mkdtempSync(join(tmpdir(), 'holdfast-release-'));
try {
  release(positionals[0] ?? '', resolve(values.out));
} catch (error) {
  stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`);
  exit(1);
} finally {
  rmSync(work, { recursive: true });
}

function release(version: string, out: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('name the version: npm run release -- 0.2.0');
  if (git(cwd(), 'status', '--porcelain') !== '') throw new Error('commit everything first.');
  if (git(cwd(), 'tag', '--list', `v${version}`) !== '') throw new Error(`there is a tag v${version} already.`);
  const repository = values['dry-run'] ? cloneOf(cwd(), 'rehearsed') : cwd();
  writeVersion(repository, version);
  git(repository, 'commit', '--quiet', '--all', '--allow-empty', '--message', `Release ${version}`);
  git(repository, 'tag', '--annotate', '--message', `holdfast ${version}`, `v${version}`);
  const [first = '', second = ''] = ['first', 'second'].map((name) => built(cloneOf(repository, name)));
  const sums = readFileSync(join(first, 'SHA256SUMS'), 'utf8');
  if (sums !== readFileSync(join(second, 'SHA256SUMS'), 'utf8'))
    throw new Error(`two builds of v${version} differ:\n${sums}\n${readFileSync(join(second, 'SHA256SUMS'), 'utf8')}`);
  const said = execFileSync(execPath, [join(first, '../bin/holdfast.js'), '--version'], { encoding: 'utf8' }).trim();
  if (said !== version) throw new Error(`holdfast --version says ${said}.`);
  cpSync(first, out, { recursive: true });
  stdout.write(`${sums}v${version}: both builds have these sums; the files are in ${out}\n`);
}

function cloneOf(repository: string, name: string): string {
  const clone = join(work, name);
  git(work, 'clone', '--quiet', '--no-hardlinks', repository, clone);
  return clone;
}

/** The folder of what was built in that clone. */
function built(clone: string): string {
  const run = (program: string, words: readonly string[]): void => {
    execFileSync(program, words, { cwd: clone, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  run('npm', ['ci', '--silent', '--no-audit', '--no-fund']);
  run(execPath, ['packaging/artefacts.ts', '--out', 'release']);
  return join(clone, 'release');
}

/** In every file that has it. */
function writeVersion(repository: string, version: string): void {
  const change = (path: string, from: RegExp, to: string): void => {
    const text = readFileSync(join(repository, path), 'utf8');
    if (!from.test(text)) throw new Error(`${path} has no version.`);
    writeFileSync(join(repository, path), text.replace(from, to));
  };
  change('package.json', /"version": "[^"]+"/, `"version": "${version}"`);
  change('packages/embedded-cluster/package.json', /"version": "[^"]+"/, `"version": "${version}"`);
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  for (const one of [lock, lock.packages[''], lock.packages['packages/embedded-cluster']]) one.version = version;
  writeFileSync(join(repository, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
  change('packaging/ansible/galaxy.yml', /^version: .*$/m, `version: ${version}`);
  change('packaging/helm/holdfast/Chart.yaml', /^version: .*$/m, `version: ${version}`);
  change('packaging/helm/holdfast/Chart.yaml', /^appVersion: .*$/m, `appVersion: ${version}`);
  const changelog = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8');
  writeFileSync(join(repository, 'CHANGELOG.md'), released(changelog, version));
}

function git(folder: string, ...words: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' }).trim();
}
