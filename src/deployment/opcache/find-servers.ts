import type { Files } from '../../host/host.ts';
import { findPasses } from './find-passes.ts';
import { findPools, type RunningPool } from './find-pools.ts';
import type { Pass } from './nginx-configuration.ts';
import { configurationReader } from './read-configuration.ts';
import { readProcesses } from './read-processes.ts';

/** The servers of this machine that root or our own user runs, as their configuration files say. */
export interface Servers {
  /** The pools of every php-fpm. */
  readonly pools: readonly RunningPool[];
  /** What nginx and Apache hand to php-fpm. */
  readonly passes: readonly Pass[];
  /** Processes and files that nothing is believed of, a sentence each. */
  readonly warnings: readonly string[];
}

export async function findServers(files: Files): Promise<Servers> {
  const { processes, trusted, warnings } = await readProcesses(files);
  const configuration = configurationReader(files, trusted);
  const pools = await findPools(files, processes, configuration);
  const passes = await findPasses(processes, configuration);
  return { pools, passes, warnings: [...warnings, ...configuration.warnings()] };
}
