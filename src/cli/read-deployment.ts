import type { Checkout } from '../deployment/checkout.ts';
import { openCheckout } from '../deployment/open-checkout.ts';
import { type DeploymentSettings, readCheckoutSettings, readDeploymentSettings } from '../deployment/settings.ts';
import type { Sources } from '../deployment/sources.ts';
import { UsageError } from '../host/errors.ts';
import type { Host } from '../host/host.ts';
import type { Read } from '../settings/read-settings.ts';
import type { RawArguments } from './command.ts';
import { readConfiguration } from './configuration.ts';
import type { Context } from './context.ts';

/** The settings of a deploy from the command line, the environment and the settings file; every mistake in one `UsageError`. */
export async function readDeployment(context: Context, given: RawArguments): Promise<DeploymentSettings> {
  return settingsOf(readDeploymentSettings(await sourcesOf(context, given)));
}

/** The same for commands that need nothing but the checkout named. */
export async function readPlace(context: Context, given: RawArguments): Promise<DeploymentSettings> {
  return settingsOf(readCheckoutSettings(await sourcesOf(context, given)));
}

/** The checkout that the command looks at. */
export async function readCheckout(context: Context, given: RawArguments): Promise<Checkout> {
  return openCheckout(context.host, await readPlace(context, given));
}

/** The host, without its progress where `--quiet` asks for none. */
export function talkative({ host, flags }: Context): Host {
  return flags.quiet ? { ...host, talk: { ...host.talk, write: () => {} } } : host;
}

async function sourcesOf(context: Context, { options }: RawArguments): Promise<Sources> {
  const { deployment } = await readConfiguration(context);
  const environment = Object.fromEntries(
    Object.entries(context.environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { flags: options, environment, file: deployment };
}

function settingsOf<T>(read: Read<T>): T {
  if ('settings' in read) return read.settings;
  throw new UsageError(read.mistakes);
}
