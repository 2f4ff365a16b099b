import type { Files } from '../../host/host.ts';
import { findPools, type RunningPool } from './find-pools.ts';
import { findWebServers, type WebServers } from './find-web-servers.ts';
import { configurationReader } from './read-configuration.ts';
import { readProcesses } from './read-processes.ts';

/** The servers of this machine that root or our own user runs, as their configuration files say. */
export interface Servers extends WebServers {
  /** The pools of every php-fpm. */
  readonly pools: readonly RunningPool[];
  /** Processes and files that are not trusted, a sentence each. */
  readonly warnings: readonly string[];
}

export async function findServers(files: Files): Promise<Servers> {
  const { processes, trusted, warnings } = await readProcesses(files);
  const configuration = configurationReader(files, trusted);
  const pools = await findPools(files, processes, configuration);
  const web = await findWebServers(processes, configuration);
  return { pools, ...web, warnings: [...warnings, ...configuration.warnings()] };
}
