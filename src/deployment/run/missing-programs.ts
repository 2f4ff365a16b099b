import type { Host } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

export interface Runner {
  readonly host: Pick<Host, 'run'>;
  readonly settings: Pick<DeploymentSettings, 'caches' | 'environment'>;
  readonly checkout: Pick<Checkout, 'directory'>;
}

/**
 * Why no commit of this application could be verified, as a sentence: the commands that rebuild its caches need a
 * program that is not there. Undefined where all are, and of a program that the commit may bring itself.
 */
export async function programTrouble({ host, settings, checkout }: Runner): Promise<string | undefined> {
  const { caches, environment } = settings;
  const named = new Set([...caches.clear, ...caches.rebuild].map(({ command }) => command[0]));
  const options = { cwd: checkout.directory, env: environment, timeoutSeconds: 10 };
  for (const program of [...named].filter(isOutside)) {
    const { exitCode } = await host.run(lookUp(program), options);
    if (exitCode !== 0)
      return `${notThere(program)} The commands of the caches need it: install it, or name it with its path in deployment.caches.`;
  }
  return undefined;
}

/** A relative path is the commit's own. */
const isOutside = (program: string): boolean => program.startsWith('/') || !program.includes('/');

/** The shell's own look-up, which knows paths too (POSIX, "command"). */
export const lookUp = (program: string) => ['sh', '-c', 'command -v -- "$1"', 'sh', program] as const;

export const notThere = (program: string): string =>
  program.includes('/') ? `There is no program ${program}.` : `${program} is not on the PATH of the deploy.`;
