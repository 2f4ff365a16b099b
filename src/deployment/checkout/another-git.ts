import type { Host } from '../../host/host.ts';
import type { Checkout } from './checkout.ts';

/** A checkout and what its git folder and the processes of its machine show. */
export interface GitPlace {
  readonly host: Pick<Host, 'files'>;
  readonly checkout: Pick<Checkout, 'directory' | 'gitFolder'>;
}

/** Whether a git runs in the checkout now. */
export async function anotherGit({ host, checkout }: GitPlace): Promise<boolean> {
  const pids = (await host.files.list('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const name = (await host.files.read(`/proc/${pid}/comm`).catch(() => undefined))?.trim();
      if (name !== 'git') return false;
      const folder = await host.files.realPath(`/proc/${pid}/cwd`).catch(() => undefined);
      return folder === checkout.directory || folder?.startsWith(`${checkout.directory}/`) === true;
    }),
  );
  return found.includes(true);
}
