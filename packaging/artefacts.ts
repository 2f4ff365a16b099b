// Makes everything that a release consists of, and SHA256SUMS: node packaging/artefacts.ts --out DIR. Same commit, same
// packages of Debian: same bytes. The image needs buildah, the collection ansible-galaxy; without them it says so.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { env, execPath, stdout } from 'node:process';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'release') } } });
const out = resolve(values.out);
const { version, homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { SOURCE_DATE_EPOCH: given } = env;
const builtAt = given ?? execFileSync('git', ['-C', root, 'log', '-1', '--format=%ct'], { encoding: 'utf8' }).trim();

mkdirSync(out, { recursive: true });
run('npm', ['pack', '--silent', '--pack-destination', out]);
run(execPath, ['packaging/debian/build.ts', '--out', out]);
if (isThere('buildah')) run(execPath, ['packaging/image/build.ts', '--out', out]);
pack('packaging/helm', ['holdfast'], `holdfast-chart-${version}.tgz`);
if (isThere('ansible-galaxy')) packCollection();
copyFileSync(join(root, 'dist/holdfast.cdx.json'), join(out, `holdfast-${version}.cdx.json`));
const krew = readFileSync(join(root, 'packaging/krew.yaml'), 'utf8')
  .replaceAll('@VERSION@', version)
  .replaceAll('@HOMEPAGE@', homepage)
  .replaceAll('@SHA256@', sha256(join(out, `holdfast-${version}.tgz`)));
writeFileSync(join(out, 'holdfast.krew.yaml'), krew);
const names = readdirSync(out).filter((name) => name !== 'SHA256SUMS');
const sums = names.toSorted().map((name) => `${sha256(join(out, name))}  ${name}\n`);
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
stdout.write(sums.join(''));

function run(program: string, words: readonly string[], cwd = root): void {
  const options = { cwd, env: { ...env, SOURCE_DATE_EPOCH: builtAt }, stdio: ['ignore', 'ignore', 'inherit'] as const };
  execFileSync(program, words, { ...options, stdio: [...options.stdio] });
}

function isThere(program: string): boolean {
  const found = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status === 0;
  if (!found) stdout.write(`${program} is not installed: what it makes is left out\n`);
  return found;
}

/** Neither the clock, nor the owner, nor the order of a folder is in the archive. */
function pack(folder: string, members: readonly string[], name: string): void {
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', '--format=ustar'];
  const words = [...same, `--mtime=@${builtAt}`, '-C', folder, '--use-compress-program=gzip -n9'];
  run('tar', [...words, '-cf', join(out, name), '--', ...members]);
}

/** ansible-galaxy lists the files and their sums; it writes the time of the build into the archive. */
function packCollection(): void {
  const work = mkdtempSync(join(tmpdir(), 'holdfast-collection-'));
  try {
    run('ansible-galaxy', ['collection', 'build', '--output-path', work, 'packaging/ansible']);
    const name = `holdfast-holdfast-${version}.tar.gz`;
    mkdirSync(join(work, 'files'));
    run('tar', ['-xzf', join(work, name), '-C', join(work, 'files')]);
    pack(join(work, 'files'), readdirSync(join(work, 'files')).toSorted(), name);
  } finally {
    rmSync(work, { recursive: true });
  }
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
