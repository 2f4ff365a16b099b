import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ListenSettings } from '../../src/cli/commands/listen-text.ts';
import { temporaryFolder } from './temporary-folder.ts';

const program = join(import.meta.dirname, '../../bin/holdfast.js');

/** `rehearse --listen` in a terminal of its own. */
export interface Served {
  readonly settings: ListenSettings;
  /** The arguments before a command that runs it in the network namespace; undefined if this machine allows none. */
  readonly enter: readonly string[] | undefined;
  readonly process: ChildProcess;
  /** The folder in which it was started. */
  readonly folder: string;
}

/** How a command ended. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Resolves when it serves; it ends with the test. */
export async function served(t: Pick<TestContext, 'after'>, ...words: readonly string[]): Promise<Served> {
  const folder = temporaryFolder(t);
  const argv = [program, 'rehearse', '--listen', '--json', '--out', 'served', ...words];
  const child = spawn(process.execPath, argv, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const settings = JSON.parse(line.toString()) as ListenSettings;
  const { namespace } = settings;
  return { settings, enter: 'enter' in namespace ? namespace.enter : undefined, process: child, folder };
}

/** Runs a command in the namespace, with the environment that was printed. `holdfast` is the real program. */
export async function inNamespace(
  { settings, enter, folder }: Served,
  [first = '', ...words]: readonly string[],
  started?: (child: ChildProcess) => void,
): Promise<Ended> {
  const ours = first === 'holdfast' ? [process.execPath, program] : [first];
  const [front = '', ...rest] = [...(enter ?? []), ...ours, ...words];
  const env = { ...process.env, ...settings.environment, HOME: folder };
  return new Promise((resolve) => {
    const child = execFile(front, rest, { cwd: folder, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ exitCode: codeOf(error), stdout, stderr }),
    );
    started?.(child);
  });
}

/** The exit code of a shell: 128 + 9 for a killed process. */
function codeOf(error: { readonly code?: unknown; readonly signal?: unknown } | null): number {
  if (error === null) return 0;
  return typeof error.code === 'number' ? error.code : error.signal === 'SIGKILL' ? 137 : 127;
}
