import * as z from 'zod';
import { UsageError } from '../../host/errors.ts';
import type { Target } from '../../host/host.ts';
import { expectedSetting } from '../../settings/expected-status.ts';
import { httpUrl } from '../../settings/http-url.ts';
import { probeDuration } from '../../settings/probe-duration.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { requestOptions } from '../../settings/request-options.ts';
import type { MonitorSettings } from '../../validation/monitor/monitor-settings.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Context } from '../command/context.ts';
import { askedTarget } from './asked-target.ts';
import { inSettingNames } from './curl-names.ts';
import { exposedSecret } from './exposed-secret.ts';
import { readYaml } from './read-yaml.ts';
import { requestMistakes } from './request-mistakes.ts';
import { withEnvironment } from './with-environment.ts';

/** A target of the file: an address alone, or with the options of a request and what is expected of it alone. */
const schema = z.strictObject({
  url: httpUrl,
  ...requestOptions,
  expect: expectedSetting.exactOptional(),
  slow: probeDuration.exactOptional(),
  timeout: probeDuration.exactOptional(),
  body: z.string().min(1).exactOptional(),
});

/** The settings of one target that replace those of all targets. */
export type OwnSettings = NonNullable<MonitorSettings['own']>[string];
export interface ReadTarget {
  readonly target: Target;
  readonly own: OwnSettings;
}

/** The targets of `monitor --targets FILE`, a list in YAML or JSON. All mistakes are one `UsageError`. */
export async function readTargets(
  context: Pick<Context, 'host' | 'environment'>,
  path: string,
): Promise<readonly ReadTarget[]> {
  const { files } = context.host;
  const text = await files
    .read(path, { mayBePipe: true })
    .catch(asUsageError('the targets cannot be read', 'name another file with --targets'));
  if (text === undefined) throw new UsageError([`there is no file of targets ${path}: name another with --targets.`]);
  const written = await readYaml(path, text);
  if (!Array.isArray(written) || written.length === 0)
    throw new UsageError([`${path} must be a list of targets: an address each, or a map with url and its options.`]);
  const { value, mistakes } = withEnvironment(path, written, context.environment);
  const read = await Promise.all((value as unknown[]).map((one) => readTarget(context, one)));
  const all = [
    ...(await exposedSecret(files, path, text, written)),
    ...mistakes,
    ...read.flatMap((one, index) => one.mistakes.map((mistake) => `${path}: target ${index + 1}: ${mistake}`)),
  ];
  if (all.length > 0) throw new UsageError(all);
  return read.flatMap(({ found }) => found ?? []);
}

interface Read {
  readonly found?: ReadTarget;
  readonly mistakes: readonly string[];
}

async function readTarget(context: Pick<Context, 'host' | 'environment'>, given: unknown): Promise<Read> {
  const settings = asSettings(given);
  const read = readSettings(schema, settings, '');
  const unseen = await requestMistakes(context.host.files, settings);
  if ('mistakes' in read) return { mistakes: [...read.mistakes, ...unseen] };
  if (unseen.length > 0) return { mistakes: unseen };
  const { url, expect, slow, timeout, body, ...options } = read.settings;
  const asked = await askedTarget(context, url, options);
  if ('mistake' in asked) return { mistakes: [asked.mistake] };
  const own: OwnSettings = {
    ...(expect === undefined ? {} : { expect }),
    ...(slow === undefined ? {} : { slowSeconds: slow }),
    ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
  };
  return { found: { target: { ...asked.target, ...(body === undefined ? {} : { body }) }, own }, mistakes: [] };
}

/** An address alone is the target of that address. */
function asSettings(given: unknown): unknown {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? inSettingNames(given) : { url: given };
}
