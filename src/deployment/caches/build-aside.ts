import type { Host, RunOptions } from '../../host/host.ts';
import type { Step } from '../settings/steps.ts';
import { type Trial, tryOnce } from './artisan-once.ts';

/** Laravel's manifests: a deploy makes all of them anew (docs/facts/laravel.md, "Manifests that stop artisan"). */
const manifests = ['CONFIG', 'ROUTES', 'EVENTS', 'PACKAGES', 'SERVICES'];

/** The steps that can build their caches at another place. */
export function buildingSteps(rebuild: readonly Step[]): readonly Step[] {
  return rebuild.filter(({ together }) => together !== undefined);
}

/**
 * Starts the application where the options say and builds the caches of these steps into the folder, which is there:
 * nothing that visitors use is read or written. Undefined where PHP gave no answer.
 */
export function buildInto(
  host: Pick<Host, 'run' | 'random'>,
  php: string,
  rebuild: readonly Step[],
  folder: string,
  options: RunOptions & { readonly cwd: string },
): Promise<Trial | undefined> {
  const environment = Object.fromEntries(manifests.map((name) => [`APP_${name}_CACHE`, `${folder}/${name}.php`]));
  // The program takes it from the application's top.
  const top = options.cwd
    .split('/')
    .slice(1)
    .map(() => '..')
    .join('/');
  const steps = buildingSteps(rebuild).map((step) => ({
    ...step,
    together: { environment, views: `${top}${folder}/views`, quiet: true as const },
  }));
  return tryOnce(host, php, steps, { ...options, env: { ...options.env, ...environment } });
}
