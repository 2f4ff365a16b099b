import * as z from 'zod';
import { type Credentials, readCredentials } from '../../cluster/credentials.ts';
import { UsageError } from '../../host/errors.ts';
import type { Files } from '../../host/host.ts';
import { recordedSettings } from '../../validation/record/recorded-settings.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import type { Settings } from '../../validation/settings.ts';
import type { Context } from '../command/context.ts';

/**
 * `settings.json` of a run folder (docs/contract.md, "The run folder"): the settings of the run. It holds no secret.
 */
export interface RunSettings {
  readonly validation: Settings;
  /** The cluster of the run; absent for a rehearsal. */
  readonly cluster?: RecordedCluster;
  /** Of who wrote it; absent for a rehearsal. */
  readonly seal?: string;
}
export interface RecordedCluster {
  readonly server: string;
  readonly context: string;
  readonly kubeconfig?: string;
  /** The uid of its namespace kube-system, if it could be read. */
  readonly uid?: string;
}

/** A missing or malformed file is a `UsageError`. */
export async function readRunSettings(files: Pick<Files, 'read'>, folder: string): Promise<RunSettings> {
  const text = await files.read(`${folder}/${runFiles.settings}`);
  if (text === undefined) throw new UsageError([`${folder} has no ${runFiles.settings}: name a run folder.`]);
  const value = parsed(text, `${folder}/${runFiles.settings}`);
  const read = shape.safeParse(value);
  // As it was written, in the order of its members, which the seal is on.
  if (read.success) return value as RunSettings;
  const wrong = read.error.issues.map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`);
  throw new UsageError([`${folder}/${runFiles.settings} holds no settings of a run: ${wrong.join('; ')}.`]);
}

const shape = z.looseObject({
  validation: recordedSettings,
  cluster: z
    .looseObject({
      server: z.string(),
      context: z.string(),
      kubeconfig: z.string().optional(),
      uid: z.string().optional(),
    })
    .optional(),
  seal: z.string().optional(),
});

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError([`${path} is not JSON.`]);
  }
}

/** The credentials for the cluster of an earlier run: flags win over the kubeconfig and context that it recorded. */
export function recordedCredentials(
  { host, environment }: Context,
  recorded: RecordedCluster | undefined,
  flags: { readonly kubeconfig?: string | undefined; readonly context?: string | undefined },
): Promise<Credentials> {
  const kubeconfig = flags.kubeconfig ?? recorded?.kubeconfig;
  const context = flags.context ?? recorded?.context;
  return readCredentials(host, { kubeconfig, context, environment });
}
