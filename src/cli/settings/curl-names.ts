/** Options of a request whose name in the settings is not that of curl, which is the flag's too. */
const names: ReadonlyMap<string, string> = new Map([
  ['header', 'headers'],
  ['max-redirs', 'maxRedirs'],
  ['body-contains', 'bodyContains'],
  ['unix-socket', 'unixSocket'],
]);

/** Those that a command may have again and again: a text is a list of one. */
const lists: ReadonlySet<string> = new Set(['header', 'resolve', 'data']);

/**
 * The options of a request in the names of the settings. One that stands there by both names is left as it is: the
 * schema knows one of them.
 */
export function inSettingNames(options: unknown): unknown {
  if (!isObject(options)) return options;
  const members = Object.entries(options).map(([key, value]) => {
    const name = names.get(key) ?? key;
    const isTwice = name !== key && name in options;
    return [isTwice ? key : name, lists.has(key) && typeof value === 'string' ? [value] : value] as const;
  });
  return Object.fromEntries(members);
}

/** A settings file with the options of its requests in the names of the settings. */
export function withSettingNames(file: Record<string, unknown>): Record<string, unknown> {
  const { validation, deployment } = file;
  return {
    ...file,
    ...(isObject(validation) ? { validation: ofValidation(validation) } : {}),
    ...(isObject(deployment) ? { deployment: of(deployment, 'health', inSettingNames) } : {}),
  };
}

function ofValidation(validation: Record<string, unknown>): Record<string, unknown> {
  const monitor = (one: unknown) => (isObject(one) ? of(one, 'monitor', inSettingNames) : one);
  const each = (all: unknown) => (Array.isArray(all) ? all.map(monitor) : all);
  return of(of(validation, 'monitor', inSettingNames), 'applications', each);
}

const of = (within: Record<string, unknown>, key: string, change: (value: unknown) => unknown) =>
  key in within ? { ...within, [key]: change(within[key]) } : within;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
