import type { Checkout } from '../../deployment/checkout/checkout.ts';
import { openCheckout } from '../../deployment/checkout/open-checkout.ts';
import {
  type DeploymentSettings,
  readCheckoutSettings,
  readDeploymentSettings,
} from '../../deployment/settings/settings.ts';
import { merged, type Sources } from '../../deployment/settings/sources.ts';
import { UsageError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import type { Read } from '../../settings/read-settings.ts';
import type { RawArguments } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { readConfiguration } from './configuration.ts';
import { requestMistakes } from './request-mistakes.ts';

/** The settings of a deploy from flags, environment and settings file. All mistakes are one `UsageError`. */
export async function readDeployment(context: Context, given: RawArguments): Promise<DeploymentSettings> {
  return readFrom(context, given, readDeploymentSettings, ({ health }) => requestMistakes(context.host.files, health));
}

/** As `readDeployment`, for commands that need only the checkout. */
export async function readPlace(context: Context, given: RawArguments): Promise<DeploymentSettings> {
  return readFrom(context, given, readCheckoutSettings);
}

/** The checkout that the command looks at. */
export async function readCheckout(context: Context, given: RawArguments): Promise<Checkout> {
  return openCheckout(context.host, await readPlace(context, given));
}

/** Whether a flag, the environment or the settings file names a checkout. */
export async function isCheckoutNamed(context: Context, given: RawArguments): Promise<boolean> {
  const { deployment } = await readConfiguration(context);
  const document = merged(sourcesOf(context, given, deployment)) as { readonly appDir?: unknown } | null;
  return document?.appDir !== undefined;
}

/** The host; with `--quiet` one that prints no progress. */
export function talkative({ host, flags }: Context): Host {
  return flags.quiet ? { ...host, talk: { ...host.talk, write: () => {} } } : host;
}

async function readFrom<T>(
  context: Context,
  given: RawArguments,
  readSources: (sources: Sources) => Read<T>,
  mistakesOfHealth: (file: Partial<Record<string, unknown>>) => Promise<readonly string[]> = async () => [],
): Promise<T> {
  const { deployment, mistakes } = await readConfiguration(context);
  const read = readSources(sourcesOf(context, given, deployment));
  const all = [
    ...mistakes,
    ...('mistakes' in read ? read.mistakes : []),
    ...(await mistakesOfHealth(deployment)).map((mistake) => `deployment.health.${mistake}`),
  ];
  if ('settings' in read && all.length === 0) return read.settings;
  throw new UsageError(all);
}

function sourcesOf(context: Context, { options }: RawArguments, file: unknown): Sources {
  const environment = Object.fromEntries(
    Object.entries(context.environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { flags: options, environment, file };
}
