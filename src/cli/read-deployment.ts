import { type DeploymentSettings, readDeploymentSettings } from '../deployment/settings.ts';
import { UsageError } from '../host/errors.ts';
import type { Host } from '../host/host.ts';
import type { RawArguments } from './command.ts';
import { readConfiguration } from './configuration.ts';
import type { Context } from './context.ts';

/** The settings of a deploy from the command line, the environment and the settings file; every mistake in one `UsageError`. */
export async function readDeployment(context: Context, { options }: RawArguments): Promise<DeploymentSettings> {
  const { deployment } = await readConfiguration(context);
  const read = readDeploymentSettings({
    flags: options,
    environment: definedOnly(context.environment),
    file: deployment,
  });
  if ('mistakes' in read) throw new UsageError(read.mistakes);
  return read.settings;
}

/** The host without its progress where `--quiet` asks for none. */
export function talkative({ host, flags }: Context): Host {
  return flags.quiet ? { ...host, talk: { ...host.talk, write: () => {} } } : host;
}

function definedOnly(environment: Context['environment']): Readonly<Record<string, string>> {
  const defined = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(defined);
}
