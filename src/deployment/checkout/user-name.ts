import type { Files } from '../../host/host.ts';

/** The name of the user in `/etc/passwd`, or its id as words. */
export async function userName(files: Files, userId: number): Promise<string> {
  const users = (await files.read('/etc/passwd').catch(() => undefined)) ?? '';
  const line = users.split('\n').find((user) => user.split(':')[2] === String(userId));
  return line?.split(':')[0] ?? `the user with id ${userId}`;
}
