import type { Command, CommandResult, Host } from '../../host/host.ts';
import type { Member } from './members.ts';

/** Runs a command of the restore, and says so. */
export type Runner = (command: Command) => Promise<CommandResult>;

/**
 * Why these members could not all be extracted, in sentences without their full stop; empty if nothing is in the way.
 * It writes nothing.
 */
export async function restoreObstacles(
  host: Pick<Host, 'files' | 'run'>,
  run: Runner,
  directory: string,
  members: readonly Member[],
): Promise<readonly string[]> {
  const userId = await ownId(host);
  const found = await Promise.all([
    notWritable(run, directory),
    closed(host, members, userId),
    othersMembers(members, userId),
    noSpace(host, directory, members),
  ]);
  return found.filter((sentence) => sentence !== undefined);
}

/** test(1) asks access(2), which says so of a read-only file system to root too. */
async function notWritable(run: Runner, directory: string): Promise<string | undefined> {
  const { exitCode } = await run(['test', '-w', directory]);
  return exitCode === 0 ? undefined : `this user cannot write to ${directory}, or its file system is read-only`;
}

async function ownId({ files }: Pick<Host, 'files'>): Promise<number> {
  return (await files.stat((await files.realPath('/proc/self')) ?? '/proc/self'))?.uid ?? 0;
}

/**
 * A folder here in which tar could replace nothing. Root may write to every file but an immutable one (chattr(1)),
 * which tar cannot remove.
 */
async function closed(
  { run }: Pick<Host, 'run'>,
  members: readonly Member[],
  userId: number,
): Promise<string | undefined> {
  const asked = members.filter(({ type }) => type === 'd' || (userId === 0 && type !== 'l'));
  const script = 'while IFS= read -r path; do [ ! -e "$path" ] || [ -w "$path" ] || printf "%s\\n" "$path"; done';
  const stdin = asked.map(({ path }) => `/${path}\n`).join('');
  const { stdout } = await run(['sh', '-c', script], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    timeoutSeconds: 600,
    stdin,
  });
  const found = stdout.split('\n').filter((path) => path !== '');
  if (found.length === 0) return undefined;
  return `this user cannot write to ${found.length} of the files and folders that are there, such as ${found[0]}`;
}

/** Only root gives files to others: tar would extract everything and then fail. */
async function othersMembers(members: readonly Member[], userId: number): Promise<string | undefined> {
  const others = userId === 0 ? [] : members.filter((member) => member.userId !== userId);
  const [first] = others;
  if (first === undefined) return undefined;
  return `${others.length} of its members belong to other users (/${first.path} to ${first.userId}), which only root can restore`;
}

/** tar removes each file before it writes the new one, so only what is larger than before needs room. */
async function noSpace(
  { files }: Pick<Host, 'files'>,
  directory: string,
  members: readonly Member[],
): Promise<string | undefined> {
  const total = members.reduce((sum, { bytes }) => sum + bytes, 0);
  const { bytes: free } = await files.freeSpace(directory);
  if (total <= free) return undefined;
  const present = await Promise.all(members.map(async ({ path }) => (await files.stat(`/${path}`))?.sizeBytes ?? 0));
  const needed = members.reduce((sum, { bytes }, index) => sum + Math.max(0, bytes - (present[index] ?? 0)), 0);
  if (needed <= free) return undefined;
  return `it needs ${mebibytes(needed)} MiB more than what is there, and ${mebibytes(free)} MiB are free for ${directory}`;
}

const mebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
