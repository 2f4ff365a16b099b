import { UsageError } from '../../host/errors.ts';
import { nearest } from '../../settings/nearest.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Context } from '../command/context.ts';
import { holdsSecret } from './holds-secret.ts';
import { withEnvironment } from './with-environment.ts';

/** The two parts of `holdfast.yaml` (docs/contract.md, "holdfast.yaml"), not yet validated: each area has its own schema. */
export interface Configuration {
  readonly validation: object;
  readonly deployment: object;
  /** The mistakes of the file itself, one sentence each. Report them together with those of a part. */
  readonly mistakes: readonly string[];
}

const defaultFile = 'holdfast.yaml';
const keys = ['validation', 'deployment'];

/** Reads the settings file: that of `--config`, or `./holdfast.yaml` if it exists. A file that is not a YAML object is a `UsageError`. */
export async function readConfiguration({
  host,
  environment,
  flags,
}: Pick<Context, 'host' | 'environment' | 'flags'>): Promise<Configuration> {
  const path = flags.config ?? defaultFile;
  const text = await host.files
    .read(path)
    .catch(asUsageError('the settings cannot be read', 'name another file with --config'));
  if (text === undefined && flags.config !== undefined) throw new UsageError([`there is no settings file ${path}.`]);
  if (text === undefined) return { validation: {}, deployment: {}, mistakes: [] };
  const written = await parseYaml(path, text);
  const filled = withEnvironment(path, written, environment);
  const { validation = {}, deployment = {} } = filled.value as Partial<Record<string, unknown>>;
  const mistakes = [
    ...unknownKeys(path, written),
    ...(holdsSecret(text, written) ? await exposed(host.files, path) : []),
    ...keys
      .filter((key) => !isObject(written[key] ?? {}))
      .map((key) => `${path}: ${key} must be an object of settings.`),
    ...filled.mistakes,
  ];
  return { validation: objectOr(validation), deployment: objectOr(deployment), mistakes };
}

async function parseYaml(path: string, text: string): Promise<Record<string, unknown>> {
  const { plainValue, yaml } = await import('./plain-value.ts');
  const document = yaml.parseDocument(text);
  if (document.errors.length > 0)
    throw new UsageError(
      document.errors.map(({ message }) => `${path} is not valid YAML: ${message.split('\n')[0]?.replace(/:$/, '')}.`),
    );
  const read = plainValue(path, document);
  if ('mistake' in read) throw new UsageError([read.mistake]);
  const value = read.value ?? {};
  if (isObject(value)) return value;
  throw new UsageError([`${path} must be an object with the keys ${keys.join(' and ')}.`]);
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

/** A secret in the file is a mistake if others can read the file. */
async function exposed(files: Context['host']['files'], path: string): Promise<readonly string[]> {
  const stat = await files.stat((await files.realPath(path)) ?? path);
  if (((stat?.mode ?? 0) & 0o044) === 0) return [];
  return [
    `${path} holds a secret, and other users can read the file: write \${NAME} and set NAME in the environment, or run chmod 600 ${path}.`,
  ];
}
