import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const { HOLDFAST_REFEREE, REFEREE_HOME, PATH = '', HOME = '' } = process.env;

/** Where `install` of the kit (docs/real-cluster.md) put its programs. */
const home = REFEREE_HOME ?? join(homedir(), '.cache', 'holdfast-referee');

/** The path of one of the kit's programs. */
export const programPath = (name: string): string => join(home, 'bin', name);

/** A Python of the kit's environment, in which moto is, and the kit's own scripts. */
export const kitPython = join(home, 'venv', 'bin', 'python');
export const kitScript = (name: string): string => join(HOLDFAST_REFEREE ?? '', 'lib', name);

/** Whether HOLDFAST_REFEREE names a kit whose programs are installed; else the test is skipped. CI has none. */
export function needsKit(t: TestContext, ...names: readonly string[]): boolean {
  if (HOLDFAST_REFEREE === undefined) t.skip('HOLDFAST_REFEREE names no kit: docs/real-cluster.md');
  else {
    const missing = names.filter((name) => !existsSync(programPath(name)));
    if (missing.length === 0) return true;
    t.skip(`the kit’s ${missing.join(', ')} is not in ${home}: run its verb install`);
  }
  return false;
}

/** A program that runs until the end of the test. */
export interface Program {
  /** Everything that it has printed. */
  readonly output: () => string;
  /** The lines of warnings and errors (klog's `W` and `E`), without their times and places. */
  readonly complaints: () => readonly string[];
}

/** Starts it with nothing of this environment but PATH and HOME. */
export function start(
  t: TestContext,
  command: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Program {
  const child = spawn(command, words, { env: { PATH, HOME, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  child.on('error', (error) => {
    output += String(error);
  });
  t.after(() => ended(child));
  return { output: () => output, complaints: () => complaintsIn(output) };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await closed;
}

const complaintsIn = (output: string): readonly string[] =>
  output.split('\n').flatMap((line) => /^[EWF]\d{4} \S+ +\d+ (\S+?):\d+\] (.*)$/.exec(line)?.slice(1).join(' ') ?? []);
