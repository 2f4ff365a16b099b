import { ownIds } from '../../host/caller.ts';
import { UsageError } from '../../host/errors.ts';
import { nearest } from '../../settings/nearest.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Context } from '../command/context.ts';
import { withSettingNames } from './curl-names.ts';
import { exposedSecret } from './exposed-secret.ts';
import { readYaml } from './read-yaml.ts';
import { withEnvironment } from './with-environment.ts';

/**
 * The two parts of `holdfast.yaml` (docs/contract.md, "holdfast.yaml"), not yet validated: each area has its own
 * schema.
 */
export interface Configuration {
  readonly validation: object;
  readonly deployment: object;
  readonly monitor: object;
  /** The mistakes of the file itself, one sentence each. Report them together with those of a part. */
  readonly mistakes: readonly string[];
}

const defaultFile = 'holdfast.yaml';
const keys = ['validation', 'deployment', 'monitor'];

/**
 * Reads the settings file: that of `--config`, or `./holdfast.yaml` if it exists. A file that is not a YAML object is a
 * `UsageError`.
 */
export async function readConfiguration({
  host,
  environment,
  flags,
  given,
}: Pick<Context, 'host' | 'environment' | 'flags' | 'given'>): Promise<Configuration> {
  if (given !== undefined)
    return { validation: given.validation ?? {}, deployment: given.deployment ?? {}, monitor: {}, mistakes: [] };
  const path = flags.config ?? defaultFile;
  const text = await host.files
    .read(path, { mayBePipe: flags.config !== undefined })
    .catch(asUsageError('the settings cannot be read', 'name another file with --config'));
  if (text === undefined && flags.config !== undefined)
    throw new UsageError([
      `there is no settings file ${path}: name another with --config, or write it with holdfast init --config ${path}.`,
    ]);
  if (text === undefined) return { validation: {}, deployment: {}, monitor: {}, mistakes: [] };
  if (flags.config === undefined) await refusePlanted({ host, environment });
  const written = withSettingNames(await parseYaml(path, text));
  const filled = withEnvironment(path, written, environment);
  const { validation = {}, deployment = {}, monitor = {} } = filled.value as Partial<Record<string, unknown>>;
  const mistakes = [
    ...unknownKeys(path, written),
    ...(await exposedSecret(host.files, path, text, written)),
    ...keys
      .filter((key) => !isObject(written[key] ?? {}))
      .map((key) => `${path}: ${key} must be an object of settings.`),
    ...filled.mistakes,
  ];
  return {
    validation: objectOr(validation),
    deployment: objectOr(deployment),
    monitor: objectOr(monitor),
    mistakes,
  };
}

/**
 * Settings name programs that are run. In a folder where everybody may put files, such as /tmp, nobody asked for the
 * file of another user.
 */
async function refusePlanted({ host: { files }, environment }: Pick<Context, 'host' | 'environment'>): Promise<void> {
  const [file, folder] = [await files.stat(defaultFile), await files.stat('.')];
  if (file === undefined || ownIds(environment).includes(file.uid)) return;
  if ((((folder?.mode ?? 0) | file.mode) & 0o002) === 0) return;
  throw new UsageError([
    `${defaultFile} belongs to user ${file.uid}, and everybody may write here: if you know who wrote it, name it with --config ${defaultFile}; else run holdfast in another folder.`,
  ]);
}

async function parseYaml(path: string, text: string): Promise<Record<string, unknown>> {
  const value = (await readYaml(path, text)) ?? {};
  if (isObject(value)) return value;
  throw new UsageError([`${path} must be an object with the keys ${keys.join(', ')}.`]);
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
