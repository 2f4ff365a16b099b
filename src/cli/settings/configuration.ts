import { UsageError } from '../../host/errors.ts';
import { nearest } from '../../settings/nearest.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Context } from '../command/context.ts';
import { holdsSecret } from './holds-secret.ts';
import { withEnvironment } from './with-environment.ts';

/** The two halves of `holdfast.yaml` (contract section 7), each still to be read by its job's own settings. */
export interface Configuration {
  readonly validation: object;
  readonly deployment: object;
  /** What is wrong with the file besides, one sentence each: to be said together with what is wrong with a half. */
  readonly mistakes: readonly string[];
}

const defaultFile = 'holdfast.yaml';
const keys = ['validation', 'deployment'];

/** Reads the settings file: the one that was named, or `./holdfast.yaml` where it exists. One that is none is a `UsageError`. */
export async function readConfiguration({
  host,
  environment,
  flags,
}: Pick<Context, 'host' | 'environment' | 'flags'>): Promise<Configuration> {
  const path = flags.config ?? defaultFile;
  const text = await host.files
    .read(path)
    .catch(asUsageError('the settings cannot be read', 'name another file with --config'));
  if (text === undefined && flags.config !== undefined) throw new UsageError([`There is no settings file ${path}.`]);
  if (text === undefined) return { validation: {}, deployment: {}, mistakes: [] };
  const written = await parseYaml(path, text);
  const filled = withEnvironment(path, written, environment);
  const { validation = {}, deployment = {} } = filled.value as Partial<Record<string, unknown>>;
  const mistakes = [
    ...unknownKeys(path, written),
    ...(holdsSecret(text, written) ? await exposed(host.files, path) : []),
    ...keys.filter((key) => !isObject(written[key] ?? {})).map((key) => `${path}: ${key} has to hold settings.`),
    ...filled.mistakes,
  ];
  return { validation: objectOr(validation), deployment: objectOr(deployment), mistakes };
}

async function parseYaml(path: string, text: string): Promise<Record<string, unknown>> {
  const { plainValue, yaml } = await import('./plain-value.ts');
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

const objectOr = (value: unknown): object => (isObject(value) ? value : {});

function unknownKeys(path: string, value: Record<string, unknown>): readonly string[] {
  const unknown = Object.keys(value).filter((key) => !keys.includes(key));
  return unknown.map((key) => {
    const meant = nearest(key, keys);
    return `${path}: ${key} is not a known setting${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  });
}

/** A secret written in the file itself is refused when others can read the file. */
async function exposed(files: Context['host']['files'], path: string): Promise<readonly string[]> {
  const stat = await files.stat((await files.realPath(path)) ?? path);
  if (((stat?.mode ?? 0) & 0o044) === 0) return [];
  return [
    `${path} holds a secret and others can read it: write \${NAME} and set NAME in the environment, or chmod 600 ${path}.`,
  ];
}
