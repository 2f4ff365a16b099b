import { proxyVariables } from '../../host/environment-proxy.ts';
import { UsageError } from '../../host/errors.ts';
import type { Target } from '../../host/host.ts';
import { proxyFor } from '../../host/probe/target-proxy.ts';
import { readRequestFiles } from '../../host/read-request-files.ts';
import { type RequestOptions, targetOptions } from '../../settings/request-options.ts';
import type { Context } from '../command/context.ts';

/** A target, or why no probe can be made by the proxy of the environment, one sentence. */
export type AskedTarget = { readonly target: Target } | { readonly mistake: string };

/**
 * The target of a monitor that asks this address with these options, which have no mistake, and by the environment's
 * proxy where they name none.
 */
export async function askedTarget(
  { host: { files }, environment }: Pick<Context, 'host' | 'environment'>,
  url: string,
  options: RequestOptions,
): Promise<AskedTarget> {
  const read = await readRequestFiles(files, options);
  const variables = options.proxy === '' ? undefined : proxyVariables(environment);
  const target: Target = {
    url: new URL(url).href,
    ...targetOptions(options),
    ...('held' in read ? read.held : {}),
    ...(variables === undefined ? {} : { environment: variables }),
  };
  const mistake = proxyTrouble(target);
  return mistake === undefined ? { target } : { mistake };
}

/** A proxy of the environment that no probe can go by. */
function proxyTrouble(target: Target): string | undefined {
  try {
    proxyFor(new URL(target.url), target);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.mistakes.join(' ');
    throw error;
  }
}
