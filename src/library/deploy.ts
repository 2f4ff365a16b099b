import { readDeployment } from '../cli/settings/read-deployment.ts';
import { deploy as deployNow } from '../deployment/deploy.ts';
import type { RunWatch } from '../deployment/log/watch.ts';
import type { DeployDocument } from '../deployment/record/document.ts';
import { commandEnvironment } from '../deployment/settings/environment.ts';
import { processEnvironment } from '../host/node.ts';
import { guestContext } from './guest-context.ts';
import type { OnProgress } from './progress.ts';

export interface DeployOptions {
  /**
   * Of the commands that it runs; by default that of this process. Its settings' variables, such as APP_DIR, do not
   * count.
   */
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/**
 * Deploys a checkout, and resolves to the document of `holdfast deploy --json`, whatever its state. `settings` is the
 * part `deployment` of holdfast.yaml. Rejects with a `UsageError` where the settings are wrong or this process may not
 * deploy there, and with the signal's reason when it was stopped: the checkout is put back then, or brought to its end.
 */
export async function deploy(
  settings: object,
  { signal, environment = processEnvironment(), onProgress = () => {} }: DeployOptions = {},
): Promise<DeployDocument> {
  signal?.throwIfAborted();
  const ofCommands = commandEnvironment(environment, []);
  const context = { ...guestContext(signal, { deployment: settings }), environment: ofCommands };
  const read = await readDeployment(context, { options: {}, operands: [] });
  signal?.throwIfAborted();
  const document = await deployNow(context.host, read, watchOf(onProgress, context.host.clock.wallAt));
  signal?.throwIfAborted();
  return document;
}

function watchOf(onProgress: OnProgress, wallAt: () => number): RunWatch {
  const told = (type: string, text: string) => onProgress({ at: new Date(wallAt()).toISOString(), type, text });
  return {
    logged: (tag, text) => told('logged', `[${tag}] ${text}`),
    stepBegun: (name) => told('step-begun', name),
    stepFinished: ({ name }) => told('step-finished', name),
    visited: () => {},
  };
}
