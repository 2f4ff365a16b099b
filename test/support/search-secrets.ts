import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { soughtTexts } from './secrets.ts';

/** A file below the searched folder, by its path from there, and a secret that it holds in some form. */
export interface Sighting {
  readonly file: string;
  readonly text: string;
}

/**
 * Every secret in every file below the folder, as `grep -r` sees it, and in what is packed with gzip; in the names too.
 */
export function searchSecrets(folder: string, patterns: string): readonly Sighting[] {
  writeFileSync(patterns, `${soughtTexts.join('\n')}\n`);
  const all = [...greppedIn(folder, patterns), ...packedIn(folder), ...namesIn(folder)];
  return [...new Map(all.map((one) => [`${one.file}\0${one.text}`, one])).values()];
}

function greppedIn(folder: string, patterns: string): readonly Sighting[] {
  const words = ['--recursive', '--text', '--only-matching', '--null', '--fixed-strings', `--file=${patterns}`, '.'];
  const { status, stdout, stderr } = spawnSync('grep', words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (status !== 0 && status !== 1) throw new Error(`grep ended with ${status}: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\0'))
    .map(([file = '', text = '']) => ({ file: file.replace(/^\.\//, ''), text }));
}

const packedIn = (folder: string): readonly Sighting[] =>
  allBelow(folder)
    .filter((file) => /\.(gz|tgz)$/.test(file) && lstatSync(join(folder, file)).isFile())
    .flatMap((file) => soughtIn(file, unpacked(join(folder, file))));

/** A torn archive is searched as it is, by grep. */
function unpacked(path: string): Buffer {
  try {
    return gunzipSync(readFileSync(path));
  } catch {
    return Buffer.alloc(0);
  }
}

const namesIn = (folder: string): readonly Sighting[] =>
  allBelow(folder).flatMap((name) => soughtIn(name, Buffer.from(name)));

/** With the files whose names begin with a dot. */
const allBelow = (folder: string): readonly string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });

const soughtIn = (file: string, content: Buffer): readonly Sighting[] =>
  soughtTexts.filter((text) => content.includes(text)).map((text) => ({ file, text }));
