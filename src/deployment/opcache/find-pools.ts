import type { Files } from '../../host/host.ts';
import { includesOf, type OpcacheSettings, opcacheSettings, readIni, readPools } from './fpm-configuration.ts';
import type { ConfigurationReader } from './read-configuration.ts';
import type { Process } from './read-processes.ts';

/** A pool of a php-fpm that runs on this machine, with opcache's settings from its configuration files. */
export interface RunningPool {
  readonly listen: string;
  /** The process id of the php-fpm that it belongs to, whose pools share one opcache. */
  readonly master: string;
  /** The folders that its own section names. */
  readonly folders: readonly string[];
  /** Whom its workers run as, where its section says so. */
  readonly user?: string;
  readonly settings: OpcacheSettings;
}

/** The pools of every php-fpm among these processes, from its configuration files. */
export async function findPools(
  files: Pick<Files, 'realPath'>,
  processes: readonly Process[],
  configuration: ConfigurationReader,
): Promise<readonly RunningPool[]> {
  const masters = await Promise.all(processes.map((process) => masterOf(files, process)));
  const pools: RunningPool[] = [];
  for (const master of masters) if (master !== undefined) pools.push(...(await poolsOf(configuration, master)));
  return pools;
}

interface Master {
  readonly pid: string;
  readonly configuration: string;
  /** Such as `8.2`, where the name of the program contains it. */
  readonly version?: string;
}

/** php-fpm's master process calls itself `php-fpm: master process (/etc/php/8.2/fpm/php-fpm.conf)`. */
async function masterOf(files: Pick<Files, 'realPath'>, { pid, title }: Process): Promise<Master | undefined> {
  const configuration = /^php-fpm: master process \((.*)\)/.exec(title)?.[1];
  if (configuration === undefined) return undefined;
  const program = (await files.realPath(`/proc/${pid}/exe`).catch(() => undefined)) ?? configuration;
  const version = /(\d+\.\d+)/.exec(program)?.[1];
  return { pid, configuration, ...(version === undefined ? {} : { version }) };
}

async function poolsOf(configuration: ConfigurationReader, master: Master): Promise<readonly RunningPool[]> {
  const main = await configuration.text(master.configuration);
  const included = await Promise.all(includesOf(main).map(configuration.matching));
  const ini = readIni(await iniText(configuration, master));
  return readPools([main, ...included.flat()].join('\n')).map(({ values, ...pool }) => ({
    ...pool,
    master: master.pid,
    settings: opcacheSettings({ ...ini, ...values }),
  }));
}

/**
 * The text of php.ini and its folder: beside the configuration, in Debian's folder for the version, in Red Hat's; the
 * first that exists.
 */
async function iniText(reader: ConfigurationReader, { configuration, version }: Master): Promise<string> {
  const beside = configuration.slice(0, configuration.lastIndexOf('/'));
  const places = [
    [`${beside}/php.ini`, `${beside}/conf.d/*.ini`],
    ...(version === undefined ? [] : [[`/etc/php/${version}/fpm/php.ini`, `/etc/php/${version}/fpm/conf.d/*.ini`]]),
    ['/etc/php.ini', '/etc/php.d/*.ini'],
  ] as [string, string][];
  for (const [ini, scanned] of places) {
    const text = await reader.text(ini);
    if (text !== '') return [text, ...(await reader.matching(scanned))].join('\n');
  }
  return '';
}
