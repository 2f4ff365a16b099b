import { type Credentials, readCredentials } from '../../cluster/credentials.ts';
import { UsageError } from '../../host/errors.ts';
import type { Files } from '../../host/host.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import type { Settings } from '../../validation/settings.ts';
import type { Context } from '../command/context.ts';

/** `settings.json` of a run folder (contract section 4): by what a run was made. It holds no secret. */
export interface RunSettings {
  readonly validation: Settings;
  /** Of a run on a real cluster: where it was. */
  readonly cluster?: RecordedCluster;
}
export interface RecordedCluster {
  readonly server: string;
  readonly context: string;
  readonly kubeconfig?: string;
  /** Of its namespace kube-system, where that could be read. */
  readonly uid?: string;
}

/** A folder without it is a `UsageError`. */
export async function readRunSettings(files: Pick<Files, 'read'>, folder: string): Promise<RunSettings> {
  const text = await files.read(`${folder}/${runFiles.settings}`);
  if (text === undefined) throw new UsageError([`${folder} has no ${runFiles.settings}.`]);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError([`${folder}/${runFiles.settings} is not JSON.`]);
  }
}

/** The credentials for the cluster of an earlier run, by the kubeconfig and the context of then where none are named. */
export function recordedCredentials(
  { host, environment }: Context,
  recorded: RecordedCluster | undefined,
  flags: { readonly kubeconfig?: string | undefined; readonly context?: string | undefined },
): Promise<Credentials> {
  const kubeconfig = flags.kubeconfig ?? recorded?.kubeconfig;
  const context = flags.context ?? recorded?.context;
  return readCredentials(host, { kubeconfig, context, environment });
}
