import { asset } from '../../host/asset.ts';
import type { OpcacheSettings } from './fpm-configuration.ts';

/** The state of a pool's opcache, as a script that runs in the pool sees it. */
export interface PoolAnswer extends OpcacheSettings {
  /** How many files of the directory it has compiled, without those below .git. */
  readonly cached: number;
  /** Whether one of them was used in the last two seconds. */
  readonly visited: boolean;
  /** Whether it keeps no further file, because its memory or its table of files is full. */
  readonly full: boolean;
  /** How many files more its table takes; absent where it does not say. Those of removed releases stay in it. */
  readonly keysLeft?: number;
  /** Whether it forgot all files that it was asked to forget; with `look`, whether it could. */
  readonly forgotten: boolean;
}

/** Undefined for what the script does not print. */
export function readAnswer(body: string): PoolAnswer | undefined {
  try {
    const { enabled, validateTimestamps, revalidateSeconds, preload, cached, visited, full, keysLeft, forgotten } =
      JSON.parse(body);
    return {
      enabled: enabled === true,
      validateTimestamps: validateTimestamps === true,
      revalidateSeconds: Number(revalidateSeconds) || 0,
      preloads: preload !== '',
      cached: Number(cached) || 0,
      visited: visited === true,
      full: full === true,
      ...(typeof keysLeft === 'number' ? { keysLeft } : {}),
      forgotten: forgotten === true,
    };
  } catch {
    return undefined;
  }
}

/** The script that runs in a pool, and prints a `PoolAnswer`. */
export const poolScript = (): string => asset(new URL('./pool-script.php', import.meta.url));
