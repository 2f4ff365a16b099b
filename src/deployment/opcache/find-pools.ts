import type { Files } from '../../host/host.ts';
import { includesOf, type OpcacheSettings, opcacheSettings, readIni, readPools } from './fpm-configuration.ts';

/** A pool of a php-fpm that runs on this machine, with opcache's settings from its configuration files. */
export interface RunningPool {
  readonly listen: string;
  readonly settings: OpcacheSettings;
}

/** The pools of every php-fpm that runs on this machine, from its configuration files; empty without php-fpm. */
export async function findPools(files: Files): Promise<readonly RunningPool[]> {
  const processes = (await files.list('/proc')).filter((name) => /^\d+$/.test(name));
  const masters = await Promise.all(processes.map((pid) => masterOf(files, pid)));
  const pools = await Promise.all(
    masters.filter((master) => master !== undefined).map((master) => poolsOf(files, master)),
  );
  return pools.flat();
}

interface Master {
  readonly configuration: string;
  /** Such as `8.2`, where the name of the program contains it. */
  readonly version?: string;
}

/** php-fpm's master process calls itself `php-fpm: master process (/etc/php/8.2/fpm/php-fpm.conf)`. */
async function masterOf(files: Files, pid: string): Promise<Master | undefined> {
  const title = await files.read(`/proc/${pid}/cmdline`).catch(() => undefined);
  const configuration = /^php-fpm: master process \((.*)\)/.exec(title ?? '')?.[1];
  if (configuration === undefined) return undefined;
  const program = (await files.realPath(`/proc/${pid}/exe`).catch(() => undefined)) ?? configuration;
  const version = /(\d+\.\d+)/.exec(program)?.[1];
  return { configuration, ...(version === undefined ? {} : { version }) };
}

async function poolsOf(files: Files, master: Master): Promise<readonly RunningPool[]> {
  const main = await readable(files, master.configuration);
  const included = await Promise.all(includesOf(main).map((pattern) => readMatching(files, pattern)));
  const ini = readIni(await iniText(files, master));
  return readPools([main, ...included].join('\n')).map(({ listen, values }) => ({
    listen,
    settings: opcacheSettings({ ...ini, ...values }),
  }));
}

/** The text of php.ini and its folder: beside the configuration, in Debian's folder for the version, in Red Hat's; the first that exists. */
async function iniText(files: Files, { configuration, version }: Master): Promise<string> {
  const beside = configuration.slice(0, configuration.lastIndexOf('/'));
  const places = [
    [`${beside}/php.ini`, `${beside}/conf.d/*.ini`],
    ...(version === undefined ? [] : [[`/etc/php/${version}/fpm/php.ini`, `/etc/php/${version}/fpm/conf.d/*.ini`]]),
    ['/etc/php.ini', '/etc/php.d/*.ini'],
  ] as [string, string][];
  for (const [ini, scanned] of places) {
    const text = await readable(files, ini);
    if (text !== '') return `${text}\n${await readMatching(files, scanned)}`;
  }
  return '';
}

/** Only the last part of the pattern may contain `*`, as in the distributions' files. */
async function readMatching(files: Files, pattern: string): Promise<string> {
  const slash = pattern.lastIndexOf('/');
  const name = new RegExp(
    `^${pattern
      .slice(slash + 1)
      .split('*')
      .map(RegExp.escape)
      .join('.*')}$`,
  );
  const names = (await files.list(pattern.slice(0, slash)).catch(() => [])).filter((each) => name.test(each));
  return (await Promise.all(names.map((each) => readable(files, `${pattern.slice(0, slash)}/${each}`)))).join('\n');
}

/** A file that cannot be read is treated as absent: then PHP's defaults are assumed. */
async function readable(files: Files, path: string): Promise<string> {
  return (await files.read(path).catch(() => undefined)) ?? '';
}
