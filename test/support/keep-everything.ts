import childProcess, { ChildProcess } from 'node:child_process';
import fs, { type PathLike } from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { keepOutput, keptFolder } from './kept-output.ts';

/**
 * Imported before a test (`node --import`), it keeps what the test would lose: files deleted under the temporary folder
 * are moved aside, and the output of children is written to files as it comes.
 */
if (keptFolder !== undefined) {
  keepDeleted(join(keptFolder, 'deleted'));
  keepSaid();
  syncBuiltinESMExports();
}

type Delete = (path: PathLike, options?: unknown) => unknown;

function keepDeleted(aside: string): void {
  for (const name of ['rmSync', 'unlinkSync'] as const) {
    const deletes = fs[name] as Delete;
    const keeping: Delete = (path, options) => (moved(path, options, aside) ? undefined : deletes(path, options));
    Object.assign(fs, { [name]: keeping });
  }
  for (const name of ['rm', 'unlink'] as const) {
    const deletes = fsPromises[name] as Delete;
    const keeping: Delete = async (path, options) => (moved(path, options, aside) ? undefined : deletes(path, options));
    Object.assign(fsPromises, { [name]: keeping });
  }
}

/** Numbers what is kept. */
let count = 0;

/**
 * Whether it was moved instead; what cannot be moved is deleted as the test wants it, with the errors that this has.
 */
function moved(path: PathLike, options: unknown, aside: string): boolean {
  const from = resolve(String(path));
  const within = relative(resolve(tmpdir()), from);
  if (within === '' || within.startsWith('..')) return false;
  const to = join(aside, `${process.pid}-${count++}`, within);
  try {
    const isWhole = (options as { recursive?: boolean } | undefined)?.recursive === true;
    if (fs.lstatSync(from).isDirectory() && !isWhole) return false;
    fs.mkdirSync(dirname(to), { recursive: true });
    fs.renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') keepOutput(`${from}: ${error}\n`, 'lost');
    return false;
  }
}

/** Both ways of Node to start a program: what every `ChildProcess` hands out, and what the synchronous ones return. */
function keepSaid(): void {
  const prototype = ChildProcess.prototype as unknown as { spawn: (options: object) => number };
  const { spawn } = prototype;
  prototype.spawn = function (this: ChildProcess, options) {
    const started = spawn.call(this, options);
    const name = childName(this.spawnfile);
    for (const stream of [this.stdout, this.stderr]) if (stream) tap(stream, name);
    return started;
  };
  const { spawnSync } = childProcess;
  Object.assign(childProcess, {
    spawnSync: (...words: Parameters<typeof spawnSync>) => {
      const ended = spawnSync(...words);
      for (const text of [ended.stdout, ended.stderr]) if (text) keepOutput(text, childName(words[0]));
      return ended;
    },
  });
  for (const name of ['execFileSync', 'execSync'] as const) {
    const whole = childProcess[name] as (...words: readonly unknown[]) => string | Uint8Array | null;
    const keeping = (...words: readonly unknown[]) => {
      const said = whole(...words);
      if (said) keepOutput(said, childName(name === 'execSync' ? 'sh' : String(words[0])));
      return said;
    };
    Object.assign(childProcess, { [name]: keeping });
  }
}

const childName = (program: string): string => `${count++}-${basename(program)}`;

/** Gets each piece as Node hands it to the stream, without disturbing other readers. */
function tap(stream: Readable, name: string): void {
  const { push } = stream;
  stream.push = (piece: Uint8Array | null, ...rest) => {
    if (piece) keepOutput(piece, name);
    return push.call(stream, piece, ...rest);
  };
}
