import { UsageError } from '../host/errors.ts';
import { nearest } from '../settings/nearest.ts';
import type { Context } from './context.ts';
import { plainValue } from './plain-value.ts';

/** The two halves of `holdfast.yaml` (contract section 7), each still to be read by its job's own settings. */
export interface Configuration {
  readonly validation: unknown;
  readonly deployment: unknown;
}

const defaultFile = 'holdfast.yaml';
const keys = ['validation', 'deployment'];

/** Reads the settings file: the one that was named, or `./holdfast.yaml` where it exists. A mistake in it is a `UsageError`. */
export async function readConfiguration({
  host,
  environment,
  flags,
}: Pick<Context, 'host' | 'environment' | 'flags'>): Promise<Configuration> {
  const path = flags.config ?? defaultFile;
  const text = await host.files.read(path);
  if (text === undefined && flags.config !== undefined) throw new UsageError([`There is no settings file ${path}.`]);
  if (text === undefined) return { validation: {}, deployment: {} };
  const value = await parseYaml(path, text);
  const mistakes = Object.keys(value)
    .filter((key) => !keys.includes(key))
    .map((key) => unknownKey(path, key));
  const secrets = await secretsMistakes(host, path, text);
  const missing = new Set<string>();
  const filled = withEnvironment(value, environment, missing) as Record<string, unknown>;
  mistakes.push(
    ...secrets,
    ...keys.filter((key) => !isObject(value[key] ?? {})).map((key) => `${path}: ${key} has to hold settings.`),
    ...[...missing].map((name) => `${path} wants \${${name}}, and the environment has no ${name}.`),
  );
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return { validation: filled.validation ?? {}, deployment: filled.deployment ?? {} };
}

async function parseYaml(path: string, text: string): Promise<Record<string, unknown>> {
  const { yaml } = await import('./yaml.ts');
  const document = yaml.parseDocument(text);
  if (document.errors.length > 0)
    throw new UsageError(
      document.errors.map(({ message }) => `${path} is not YAML: ${message.split('\n')[0]?.replace(/:$/, '')}.`),
    );
  const read = plainValue(path, document);
  if ('mistake' in read) throw new UsageError([read.mistake]);
  const value = read.value ?? {};
  if (isObject(value)) return value;
  throw new UsageError([`${path} has to hold the keys ${keys.join(' and ')}.`]);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unknownKey(path: string, key: string): string {
  const meant = nearest(key, keys);
  return `${path}: ${key} is not a known setting${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

/** `${NAME}` in any text takes that variable of the environment, so that no secret has to stand in the file. */
function withEnvironment(value: unknown, environment: Context['environment'], missing: Set<string>): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
      const found = environment[name];
      if (found === undefined) missing.add(name);
      return found ?? '';
    });
  if (Array.isArray(value)) return value.map((item) => withEnvironment(item, environment, missing));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withEnvironment(item, environment, missing)]),
  );
}

/** A webhook address or a password in a URL written in the file itself is refused when others can read the file. */
async function secretsMistakes(host: Context['host'], path: string, text: string): Promise<readonly string[]> {
  const stat = await host.files.stat(path);
  const readableByOthers = ((stat?.mode ?? 0) & 0o044) !== 0;
  const holdsSecret =
    /^\s*slackWebhookUrl:\s*['"]?https?:/m.test(text) || /:\/\/[^/\s:@]+:[^$\s@/][^\s@/]*@/.test(text);
  if (!readableByOthers || !holdsSecret) return [];
  return [
    `${path} holds a secret and others can read it: write \${NAME} and set NAME in the environment, or chmod 600 ${path}.`,
  ];
}
