import { rehearsalFlags } from '../cli/cluster/rehearsal-flags.ts';
import { prepareRehearsal } from '../cli/commands/prepare-rehearsal.ts';
import { createRunFolder } from '../cli/runs/create-run-folder.ts';
import { keepReports } from '../cli/runs/keep-reports.ts';
import { memoryFiles } from '../host/memory-files.ts';
import { type RunDocument, runDocument } from '../report/json.ts';
import type { ValidationFact } from '../validation/record/events.ts';
import { asFlags, guestContext } from './guest-context.ts';
import type { OnProgress } from './progress.ts';

/** Each is the option of `holdfast rehearse` of that name (docs/library.md). */
export interface RehearseOptions {
  /** 1 by default. The same seed gives the same document. */
  readonly seed?: number;
  /** By default the ten of the specification. */
  readonly scenarios?: readonly string[];
  readonly defects?: readonly string[];
  readonly manifests?: 'hardened' | 'plain';
  /** Nodes of other teams on the embedded cluster. */
  readonly nodes?: number;
  /** Files and folders of manifests; by default the specification's application is rehearsed. */
  readonly files?: readonly string[];
  /** `KIND/NAME`, where the manifests have several. */
  readonly application?: string;
  /** One run of all applications. */
  readonly together?: boolean;
  /** `ingress-nginx`, `envoy-gateway`, `traefik`, `alb` or `nlb`: the application is rehearsed behind each of them. */
  readonly frontDoors?: readonly string[];
  /** Files and folders of the manifests before a change. */
  readonly against?: readonly string[];
  /** Whether to look for where the verdict turns; true by default. */
  readonly assumptions?: boolean;
  /** The part `validation` of holdfast.yaml. */
  readonly settings?: object;
  /** The run folder, which must hold no run yet; by default nothing is written. */
  readonly out?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/**
 * Rehearses on the embedded cluster, in virtual time, and resolves to the document of `holdfast rehearse --json`,
 * whatever its verdict. Rejects with a `UsageError` where an option, the settings or the manifests are wrong, and with
 * the signal's reason when the run is stopped.
 */
export async function rehearse(options: RehearseOptions = {}): Promise<RunDocument> {
  const { settings, signal, onProgress, ...asked } = options;
  signal?.throwIfAborted();
  const context = { ...guestContext(signal, { validation: settings ?? {} }), ...told(onProgress) };
  const { scenarios: scenario, defects: defect, files: file, frontDoors, ...others } = asked;
  const frontDoor = frontDoors?.join(',');
  const flags = await rehearsalFlags(context, asFlags({ ...others, scenario, defect, file, frontDoor }));
  const prepared = await prepareRehearsal(context, flags);
  signal?.throwIfAborted();
  const { out } = flags;
  const folder = out === undefined ? 'memory' : await createRunFolder(context, out, 'rehearsal', prepared.settings);
  const host = out === undefined ? { ...context.host, files: memoryFiles() } : context.host;
  const run = await prepared.make({ ...context, host }, folder);
  if (out !== undefined) await keepReports(host, folder, run);
  signal?.throwIfAborted();
  return runDocument(run.result);
}

function told(onProgress: OnProgress | undefined): { readonly onFact?: (fact: ValidationFact) => void } {
  if (onProgress === undefined) return {};
  return {
    onFact({ at, type, ...fact }) {
      const scenario = 'scenario' in fact && typeof fact.scenario === 'string' ? { scenario: fact.scenario } : {};
      onProgress({ at, type, ...scenario });
    },
  };
}
