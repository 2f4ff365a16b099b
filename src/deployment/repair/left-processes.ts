import type { Files, Host } from '../../host/host.ts';
import { startTicksOf } from '../checkout/owner.ts';
import type { RunRecord } from '../record/history.ts';
import { serverVariable } from '../releases/private-server.ts';
import { runVariable } from '../run/run.ts';

/** How long a command that a killed run left may go on, and how long it then has after each signal. */
const graceSeconds = 10;
const intervalSeconds = 0.1;

/**
 * Ends the commands of these runs: waits for them, then signals their process groups. Returns their process ids when
 * none is alive.
 */
export async function endLeftProcesses(
  host: Pick<Host, 'files' | 'run' | 'clock'>,
  runs: readonly RunRecord[],
): Promise<readonly number[]> {
  const left = await leftProcesses(host.files, runs);
  // A server does not end by itself.
  await Promise.all(left.filter(({ isServer }) => isServer).map(({ pid }) => signalGroup(host, pid, 'TERM')));
  for (const signal of ['', 'TERM', 'KILL']) {
    const alive = await stillAlive(host.files, left);
    if (alive.length === 0) break;
    if (signal !== '') await Promise.all(alive.map(({ pid }) => signalGroup(host, pid, signal)));
    await waitFor(host, left);
  }
  return left.map(({ pid }) => pid);
}

interface LeftProcess {
  readonly pid: number;
  readonly startTicks: string;
  readonly isServer?: boolean;
}

/**
 * Processes that the journal has, and group leaders with the variable of these runs: the last one may not have been
 * recorded.
 */
async function leftProcesses(files: Files, runs: readonly RunRecord[]): Promise<readonly LeftProcess[]> {
  const recorded = runs.flatMap(({ children }) => children);
  const marks = runs.map(({ id }) => `${runVariable}=${id}`);
  const pids = (await files.list('/proc')).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(pids.map((pid) => markedLeader(files, Number(pid), marks)));
  const found = [...recorded, ...marked.filter((process) => process !== undefined)];
  return stillAlive(files, [...new Map(found.map((process) => [process.pid, process])).values()]);
}

/** Only git, PHP and shells: a service that a step has started leads a group too, and must stay. */
async function markedLeader(files: Files, pid: number, marks: readonly string[]): Promise<LeftProcess | undefined> {
  const environment = (await files.read(`/proc/${pid}/environ`).catch(() => undefined))?.split('\0') ?? [];
  if (!marks.some((mark) => environment.includes(mark))) return undefined;
  const stat = (await files.read(`/proc/${pid}/stat`).catch(() => undefined)) ?? '';
  const [, name = '', group] = /^\d+ \((.*)\) \S+ \d+ (\d+) /s.exec(stat) ?? [];
  const startTicks = await startTicksOf(files, pid);
  if (startTicks === undefined || group !== String(pid) || !/^(?:git|php[\d.]*|sh|bash)$/.test(name)) return undefined;
  return { pid, startTicks, isServer: environment.includes(`${serverVariable}=1`) };
}

async function stillAlive(files: Files, processes: readonly LeftProcess[]): Promise<readonly LeftProcess[]> {
  const alive = await Promise.all(
    processes.map(async (process) => (await startTicksOf(files, process.pid)) === process.startTicks),
  );
  return processes.filter((_, index) => alive[index]);
}

async function waitFor(host: Pick<Host, 'files' | 'clock'>, processes: readonly LeftProcess[]): Promise<void> {
  for (let waited = 0; waited < graceSeconds; waited += intervalSeconds) {
    if ((await stillAlive(host.files, processes)).length === 0) return;
    await host.clock.sleep(intervalSeconds);
  }
}

async function signalGroup(host: Pick<Host, 'run'>, pid: number, signal: string): Promise<void> {
  const env = { PATH: '/usr/bin:/bin' };
  await host.run(['sh', '-c', `kill -s ${signal} -- -${pid}`], { env, timeoutSeconds: graceSeconds });
}
