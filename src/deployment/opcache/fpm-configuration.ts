/** One pool of php-fpm: where it listens, and the PHP settings of its own section. */
export interface Pool {
  readonly name: string;
  readonly listen: string;
  readonly values: IniValues;
  /** Whom its workers run as, where its section says so. */
  readonly user?: string;
  /** The folders that its section names: where it works, and which files it may open. */
  readonly folders: readonly string[];
}
export type IniValues = Readonly<Record<string, string>>;

/** The pools in the joined text of php-fpm's configuration files. `$pool` is replaced by the pool's name. */
export function readPools(text: string): readonly Pool[] {
  return sections(text)
    .filter(({ name }) => name !== '' && name !== 'global')
    .flatMap(({ name, entries }) => {
      const named = entries.map(([key, value]) => [key, value.replaceAll('$pool', name)] as const);
      const listen = named.find(([key]) => key === 'listen')?.[1];
      const values = named.flatMap(([key, value]) => {
        const setting = /^php(?:_admin)?_(?:value|flag)\[([^\]]+)\]$/.exec(key)?.[1];
        return setting === undefined ? [] : [[setting, value] as const];
      });
      if (listen === undefined) return [];
      const user = named.find(([key]) => key === 'user')?.[1];
      const own = Object.fromEntries(values);
      const pool = { name, listen, values: own, folders: foldersIn(named, own) };
      return [user === undefined ? pool : { ...pool, user }];
    });
}

function foldersIn(entries: Section['entries'], { doc_root = '', open_basedir = '' }: IniValues): readonly string[] {
  const chdir = entries.filter(([key]) => key === 'chdir').map(([, value]) => value);
  const folders = [...chdir, doc_root, ...open_basedir.split(':')];
  return folders.map((folder) => folder.replace(/(.)\/$/, '$1')).filter((folder) => folder !== '');
}

/** The paths that a configuration includes; they may contain `*`. */
export function includesOf(text: string): readonly string[] {
  return sections(text).flatMap(({ entries }) =>
    entries.filter(([key]) => key === 'include').map(([, value]) => value),
  );
}

/** The settings in the joined text of php.ini files; the last value of a setting counts. */
export function readIni(text: string): IniValues {
  return Object.fromEntries(sections(text).flatMap(({ entries }) => entries));
}

/** What decides when opcache sees a changed file (PHP manual, opcache.configuration). */
export interface OpcacheSettings {
  readonly enabled: boolean;
  readonly validateTimestamps: boolean;
  readonly revalidateSeconds: number;
  /** Preloaded classes stay until php-fpm is restarted. */
  readonly preloads: boolean;
}

/** The settings with PHP's defaults for what is not set. */
export function opcacheSettings(values: IniValues): OpcacheSettings {
  return {
    enabled: isOn(values['opcache.enable'] ?? '1'),
    validateTimestamps: isOn(values['opcache.validate_timestamps'] ?? '1'),
    revalidateSeconds: Number.parseInt(values['opcache.revalidate_freq'] ?? '2', 10) || 0,
    preloads: (values['opcache.preload'] ?? '') !== '',
  };
}

function isOn(value: string): boolean {
  return !/^(?:0|off|no|false|none|)$/i.test(value);
}

interface Section {
  readonly name: string;
  readonly entries: (readonly [key: string, value: string])[];
}

/**
 * A name is a user's or a program's, which Linux keeps shorter: of a longer one `$pool` could make a text without end.
 */
const longestName = 255;

function sections(text: string): readonly Section[] {
  const all: Section[] = [{ name: '', entries: [] }];
  for (const line of text.split('\n')) {
    const name = /^\s*\[([^\]]+)\]\s*(?:;.*)?$/.exec(line)?.[1];
    if (name !== undefined) all.push({ name: name.slice(0, longestName), entries: [] });
    const equals = line.indexOf('=');
    const key = line.slice(0, Math.max(0, equals)).trim();
    if (key !== '' && !/^[;#]/.test(key)) all.at(-1)?.entries.push([key, unquoted(line.slice(equals + 1).trim())]);
  }
  return all;
}

/** Without quotes, or without the comment that may follow. */
function unquoted(value: string): string {
  return /^(["'])(.*?)\1/.exec(value)?.[2] ?? (value.split(';', 1)[0] ?? '').trim();
}
