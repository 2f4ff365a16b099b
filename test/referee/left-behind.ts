import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import type { Kit } from './kit.ts';

/**
 * Everything on this machine that belongs to the kit's cluster: processes, network namespaces, mounts, cgroups, files.
 * One line each.
 */
export function leftBehind({ home, name }: Kit): readonly string[] {
  return [
    ...processesOf(home).map((one) => `process ${one}`),
    ...entries('/run/netns').flatMap((one) => (one.startsWith(`${name}-`) ? [`network namespace ${one}`] : [])),
    ...readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .flatMap((line) => (line.includes(`${home}/`) ? [`mount ${line.split(' ')[1]}`] : [])),
    ...globSync([`/sys/fs/cgroup/${name}`, `/sys/fs/cgroup/*/${name}`]).map((path) => `cgroup ${path}`),
    ...(existsSync(home) ? [`folder ${home}`] : []),
  ];
}

const entries = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

/**
 * Processes whose environment or command line names the kit's home, other than this one and those that it was started
 * by.
 */
function processesOf(home: string): readonly string[] {
  const own = ancestors(String(process.pid));
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && !own.includes(name));
  return numbers.flatMap((pid) => {
    const command = textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    const named =
      textOf(`/proc/${pid}/environ`).split('\0').includes(`REFEREE_HOME=${home}`) || command.includes(`${home}/`);
    return named ? [`${pid} ${command.slice(0, 120)}`] : [];
  });
}

function ancestors(pid: string): readonly string[] {
  const parent = /\) \S (\d+)/.exec(textOf(`/proc/${pid}/stat`))?.[1];
  return parent === undefined ? [pid] : [pid, ...ancestors(parent)];
}

/** Empty for a process that has just ended, or that is not ours to look at. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
