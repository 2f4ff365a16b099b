import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A real cluster on this machine, by the verbs of its kit (docs/real-cluster.md). */
export interface Kit {
  /** The folder with the executable `referee`. */
  readonly folder: string;
  /** Everything that the kit writes. */
  readonly home: string;
  /** The prefix of its network namespaces and cgroups. */
  readonly name: string;
  /** The environment of every verb. */
  readonly environment: Readonly<Record<string, string>>;
}

export type Started = Record<string, string | undefined>;

/**
 * The kit that HOLDFAST_REFEREE names, with a home, a name and a port of its own, so that it does not meet another real
 * cluster.
 */
export async function kitOf(environment: Started): Promise<Kit> {
  const folder = environment.HOLDFAST_REFEREE;
  if (folder === undefined || !existsSync(join(folder, 'referee')))
    throw new Error(
      'HOLDFAST_REFEREE has to name the folder of the kit, with the executable referee: see docs/real-cluster.md.',
    );
  const home = environment.REFEREE_HOME ?? join(homedir(), '.cache', 'holdfast-referee');
  const name = environment.REFEREE_NAME ?? 'holdfast';
  const port = environment.REFEREE_PORT ?? String(await freePort());
  const own = { REFEREE_HOME: home, REFEREE_NAME: name, REFEREE_PORT: port };
  return { folder, home, name, environment: { REFEREE_BOOT_SECONDS: '10', ...present(environment), ...own } };
}

/**
 * How long a machine takes until its kubelet starts. A real EC2 instance takes 30 to 60 s, in which nothing can be
 * seen.
 */
export const bootSecondsOf = ({ environment }: Kit): number => Number(environment.REFEREE_BOOT_SECONDS);

function present(environment: Started): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Unpacks what the kit brings, and builds what it does not (about 70 minutes, from Go modules). */
export async function install(kit: Kit): Promise<void> {
  if (globSync(join(kit.folder, 'bin', '*.xz')).length === 0) await verb(kit, ['build']);
  await verb(kit, ['install']);
}

export const up = (kit: Kit): Promise<string> => verb(kit, ['up']);

/** Ends the cluster and removes everything that it wrote. Without a cluster it does nothing. */
export async function down(kit: Kit): Promise<void> {
  if (existsSync(kit.home)) await verb(kit, ['down', '--wipe']);
}

/** The path of a kubeconfig: the administrator's, or that of a user with the roles of that file alone. */
export async function kubeconfig(kit: Kit, ...of: readonly string[]): Promise<string> {
  const lines = (await verb(kit, ['kubeconfig', ...of])).trim().split('\n');
  return lines.at(-1) ?? '';
}

const children = new Set<ChildProcess>();

/** Kills every verb and every command of the user that still runs, and waits for their ends. */
export async function endChildren(): Promise<void> {
  const running = [...children];
  const ends = running.map((child) => new Promise((resolve) => child.once('close', resolve)));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ends);
}

function started(child: ChildProcess): ChildProcess {
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}

/** Runs a verb to its end and returns its standard output; another exit code than 0 is an error with its last words. */
export async function verb(kit: Kit, words: readonly string[]): Promise<string> {
  const child = started(
    spawn(join(kit.folder, 'referee'), words, { env: kit.environment, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  const { code, output, said } = await ended(child);
  if (code !== 0)
    throw new Error(`referee ${words.join(' ')} ended with ${code}: ${said.slice(-600) || output.slice(-600)}`);
  return output;
}

export interface Ended {
  /** The exit code; -1 for a child that a signal ended. */
  readonly code: number;
  readonly output: string;
  readonly said: string;
}

/** Collects what a child prints until it ends. */
export async function ended(child: ChildProcess): Promise<Ended> {
  let [output, said] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? -1));
  });
  return { code, output, said };
}

/**
 * A command on the user's machine: its network, its resolver, the kubeconfig and the AWS endpoints. The kit replaces
 * itself by the command, so the child's pid is the command's.
 */
export function asUser(
  kit: Kit,
  command: readonly string[],
  { cwd, kubeconfig }: { readonly cwd: string; readonly kubeconfig?: string },
): ChildProcess {
  const env = { ...kit.environment, ...(kubeconfig === undefined ? {} : { REFEREE_KUBECONFIG: kubeconfig }) };
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
  return started(spawn(join(kit.folder, 'referee'), ['user', ...command], { cwd, env, stdio }));
}
