import type { Files } from '../../host/host.ts';
import { inParallel } from '../../host/in-parallel.ts';
import { userName } from '../checkout/user-name.ts';

/** A process of root or of our own user, with its command line or the title that it gave itself. */
export interface Process {
  readonly pid: string;
  /** Words end with a NUL, as proc(5) has them. */
  readonly title: string;
}

export interface Processes {
  readonly processes: readonly Process[];
  /** The user ids whose processes and files are believed: root's and our own. */
  readonly trusted: readonly number[];
  /** Servers of other users, one sentence each. */
  readonly warnings: readonly string[];
}

const mostBytes = 64 * 1024;
const atOnce = 32;

/**
 * The processes of this machine that root or our own user runs. Of the others nothing is read but what the kernel says
 * of them: a title is their own words, and the kernel reads it out of their memory, which they can make anybody wait
 * for.
 */
export async function readProcesses(files: Files): Promise<Processes> {
  const self = await describe(files, 'self');
  const trusted = [...new Set([0, ...(self?.uids.slice(1, 2) ?? [])])];
  const pids = (await files.list('/proc')).filter((name) => /^\d+$/.test(name));
  const all = (await inParallel(pids, atOnce, (pid) => describe(files, pid))).filter((each) => each !== undefined);
  // All of them: a program with the set-user-ID bit has another user's arguments.
  const [ours, others] = [all.filter(isOurs), all.filter((each) => !isOurs(each))];
  const titled = await inParallel(ours, atOnce, async ({ pid }) => ({ pid, title: await titleOf(files, pid) }));
  return {
    trusted,
    processes: titled.filter((process) => process !== undefined),
    warnings: await foreignServers(files, others, all),
  };

  function isOurs({ uids }: Described): boolean {
    return uids.every((uid) => trusted.includes(uid));
  }
}

interface Described {
  readonly pid: string;
  readonly parent: string;
  /** The name of its program, at most 15 characters. */
  readonly name: string;
  /** Real, effective, saved and of the file system (proc(5)). */
  readonly uids: readonly number[];
}

async function describe(files: Files, pid: string): Promise<Described | undefined> {
  const read = await files.readUntrusted(`/proc/${pid}/status`, { mostBytes });
  if (read === undefined || 'refused' in read) return undefined;
  // Its own lines come after its name, in which a line break is written as \n.
  const value = (key: string): string => new RegExp(`^${key}:\t(.*)$`, 'm').exec(read.text)?.[1] ?? '';
  return { pid, parent: value('PPid'), name: value('Name'), uids: value('Uid').split('\t').map(Number) };
}

async function titleOf(files: Files, pid: string): Promise<string> {
  const read = await files.readUntrusted(`/proc/${pid}/cmdline`, { mostBytes });
  return read !== undefined && 'text' in read ? read.text : '';
}

/** The workers of a server have its program's name, and are its children. */
async function foreignServers(
  files: Files,
  others: readonly Described[],
  all: readonly Described[],
): Promise<readonly string[]> {
  const names = new Map(all.map(({ pid, name }) => [pid, name]));
  const servers = others.filter(
    ({ name, parent }) => /^(?:nginx|php-fpm|apache2|httpd)/.test(name) && names.get(parent) !== name,
  );
  return Promise.all(
    servers.map(async ({ pid, name, uids: [uid = -1] }) => {
      const whose = await userName(files, uid);
      return `process ${pid} (${name}) is neither root's nor our own but belongs to ${whose}, so nothing is believed of it: if it is a php-fpm that serves this checkout, name its socket in opcache.fastcgi`;
    }),
  );
}
