import { type ChannelKey, channelKeys, channels } from '../../notification/notifiers.ts';

/**
 * Where settings come from. Flags take precedence over the specification's environment variables, and these over the
 * file.
 */
export interface Sources {
  /** By the flag's name in camel case, such as `healthUrl`; flags that are no settings are ignored. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string>>;
  /** `deployment:` of holdfast.yaml. */
  readonly file: unknown;
}

/**
 * The three sources as one document in the file's shape. A file that holds no map is returned as it is: the schema
 * refuses it.
 */
export function merged({ flags, environment, file }: Sources): unknown {
  if (file !== undefined && file !== null && !isMap(file)) return file;
  const document = structuredClone(file ?? {});
  for (const [name, path] of Object.entries(environmentNames)) {
    // An empty variable is an unset one, as in a shell's ${NAME:-default}.
    if (environment[name]) put(document, path, environment[name]);
  }
  for (const [flag, path] of Object.entries(flagNames)) {
    if (flags[flag] !== undefined) put(document, path, flags[flag]);
  }
  return document;
}

type Path = readonly [string, ...string[]];

/** Section 2.4 of the specification. */
export const environmentNames: Readonly<Record<string, Path>> = {
  APP_DIR: ['appDir'],
  BRANCH: ['branch'],
  LOG_FILE: ['logFile'],
  HEALTH_URL: ['healthUrl'],
  ...Object.fromEntries(channelKeys.flatMap(variablesOf)),
};

function variablesOf(key: ChannelKey): readonly (readonly [string, Path])[] {
  return Object.entries(channels[key].variables).map(([name, path]) => [name, [key, ...path]]);
}

/** The flags of the deployment commands that are settings (docs/contract.md, "Commands"). */
export const flagNames: Readonly<Record<string, Path>> = {
  appDir: ['appDir'],
  branch: ['branch'],
  logFile: ['logFile'],
  clone: ['cloneUrl'],
  healthUrl: ['healthUrl'],
  mode: ['mode'],
  variant: ['variant'],
  preset: ['preset'],
  subfolder: ['subfolder'],
  ifChanged: ['ifChanged'],
  again: ['again'],
  commit: ['commit'],
  message: ['message'],
  healthAttempts: ['health', 'attempts'],
  healthDeadline: ['health', 'deadline'],
  healthConsecutive: ['health', 'consecutive'],
  healthTimeout: ['health', 'timeout'],
  baseline: ['health', 'baseline'],
  probeRate: ['monitor', 'rate'],
  clean: ['clean', 'enabled'],
  backupDir: ['backup', 'dir'],
  fastcgi: ['opcache', 'fastcgi'],
};

function put(document: Record<string, unknown>, [key, ...rest]: Path, value: unknown): void {
  const [first, ...deeper] = rest;
  if (first === undefined) {
    document[key] = value;
    return;
  }
  const group = document[key];
  const inner = isMap(group) ? group : {};
  document[key] = inner;
  put(inner, [first, ...deeper], value);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
