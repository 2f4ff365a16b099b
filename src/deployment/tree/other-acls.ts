import type { Command } from '../../host/host.ts';
import { runStep, type Workspace } from '../run/run.ts';

/** Of these folders, which exist below both tops, those whose default ACLs (acl(5)) differ; all of them where that cannot be found out. */
export async function otherAcls(
  run: Workspace,
  [one, two]: readonly [string, string],
  folders: readonly string[],
): Promise<ReadonlySet<string>> {
  const below = (some: readonly string[]) => [one, two].flatMap((top) => some.map((folder) => `${top}/${folder}`));
  const lines = (await ask(run, ['xargs', '-0', 'ls', '-Uldq', '--'], below(folders))).split('\n').slice(0, -1);
  const isListed = lines.length === 2 * folders.length;
  const [hasOne, hasTwo] = [marksIn(lines.slice(0, folders.length)), marksIn(lines.slice(folders.length))];
  const both = folders.filter((_, index) => hasOne[index] && hasTwo[index]);
  const acls = both.length === 0 ? [] : await defaultAcls(run, below(both));
  const areComplete = isListed && acls.length === 2 * both.length;
  const same = new Set(both.filter((_, index) => areComplete && acls[index] === acls[index + both.length]));
  return new Set(folders.filter((each, index) => !isListed || ((hasOne[index] || hasTwo[index]) && !same.has(each))));
}

/** Which of these lines of `ls` carry the mark `+` for an ACL. */
function marksIn(lines: readonly string[]): readonly boolean[] {
  return lines.map((line) => /^\S+\+ /.test(line));
}

/** The default ACLs as pax(1) records, one for each path that has one. tar prints them, so no package for ACLs is needed. */
async function defaultAcls(run: Workspace, paths: readonly string[]): Promise<readonly string[]> {
  const list = ['--format=posix', '--no-recursion', '--null', '--files-from=-'] as const;
  const archive = await ask(run, ['tar', '--create', '--file=-', '--acls', '--absolute-names', ...list], paths);
  const records = archive.matchAll(/(\d+) SCHILY\.acl\.default=/g);
  return [...records].map(({ 1: length, index }) => archive.slice(index, index + Number(length)));
}

async function ask(run: Workspace, command: Command, paths: readonly string[]): Promise<string> {
  const stdin = paths.map((path) => `${path}\0`).join('');
  const { stdout } = await runStep(run, 'folders', command, { env: run.settings.environment, stdin, answers: true });
  return stdout;
}
