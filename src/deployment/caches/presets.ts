import type { Command } from '../host/host.ts';

/** One command of a cache rebuild. */
export interface CacheStep {
  readonly name: string;
  readonly command: Command;
}
export interface CacheSteps {
  readonly clear: readonly CacheStep[];
  readonly rebuild: readonly CacheStep[];
}

/** Step 7 of 4.3 as data: what each framework clears, and what it then rebuilds. */
export const presets = {
  laravel: {
    clear: ['config:clear', 'cache:clear', 'route:clear', 'view:clear'].map(artisan),
    rebuild: ['config:cache', 'route:cache', 'view:cache'].map(artisan),
  },
  none: { clear: [], rebuild: [] },
} as const satisfies Readonly<Record<string, CacheSteps>>;

export type PresetName = keyof typeof presets;

function artisan(name: string): CacheStep {
  return { name, command: ['php', 'artisan', name, '--no-interaction', '--no-ansi'] };
}
