import type { Workspace } from '../run/run.ts';
import type { Step } from '../settings/steps.ts';

/**
 * Makes the files that the steps have compiled into folders a second younger than now. Laravel compiles a view again at every request
 * while it is not younger than its source, in whole seconds (Illuminate\\View\\Compilers\\Compiler, isExpired), and php-fpm as another user
 * cannot write it.
 */
export async function makeYounger({ host, checkout }: Workspace, steps: readonly Step[]): Promise<void> {
  const published = steps.flatMap(({ publish = [], together }) => [...publish, ...(together?.publish ?? [])]);
  for (const folder of new Set(published.map(({ to }) => `${checkout.directory}/${to}`))) {
    if ((await host.files.stat(folder))?.kind !== 'folder') continue;
    for (const name of await host.files.list(folder)) {
      const path = `${folder}/${name}`;
      const there = await host.files.stat(path);
      if (there?.kind === 'file' && there.uid === checkout.self.userId && name.endsWith('.php'))
        await host.files.setModifiedAt(path, host.clock.wallAt() + 1000);
    }
  }
}
