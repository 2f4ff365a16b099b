import { createCluster, type EmbeddedCluster } from '@holdfast/embedded-cluster';
import { inContainers } from '../../rehearsal/container-host.ts';
import { defectsOf, type WireFaults } from '../../rehearsal/defects.ts';
import { apiReachability } from '../../rehearsal/wire.ts';
import { manifests } from '../../validation/manifests/manifests.ts';
import { recorded, type Settings } from '../../validation/settings.ts';
import { embeddedHoldfast } from '../cluster/embedded-holdfast.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { createRunFolder } from '../runs/create-run-folder.ts';
import { readValidationSettings } from '../settings/run-settings.ts';
import { surroundingsOf } from '../settings/surroundings-of.ts';
import { listenText, settingsOf } from './listen-text.ts';

/** The flags of `rehearse` that `--listen` uses. */
export interface ListenFlags {
  readonly seed: number;
  /** Names of defects; an unknown one is a `UsageError`. */
  readonly defect: readonly string[];
  /** How many nodes of other tenants to add. */
  readonly nodes?: number | undefined;
  /** Present: the application is applied at the start, by this profile. */
  readonly manifests?: 'hardened' | 'plain' | undefined;
  readonly out?: string | undefined;
  /** Seconds; absent: until a signal. */
  readonly listenFor?: number | undefined;
}

/**
 * `rehearse --listen`: serves the embedded cluster on loopback in real time, for `listenFor` or until SIGINT, SIGTERM
 * or SIGHUP.
 */
export async function listen(context: Context, flags: ListenFlags): Promise<number> {
  const { host } = context;
  const settings = await readValidationSettings(context, {});
  const { ofCluster, wire } = defectsOf(flags.defect);
  const text = `${JSON.stringify({ validation: recorded(settings) }, null, 2)}\n`;
  const folder = flags.out ?? (await createRunFolder(context, undefined, 'rehearsal', text));
  await host.files.makeFolder(folder).catch(folderUnusable);
  const cluster = createCluster({
    seed: String(flags.seed),
    startAt: host.clock.wallAt() - 1000 * (flags.manifests === undefined ? 0 : applicationSeconds),
    nodes: flags.nodes,
    defects: ofCluster,
    surroundings: surroundingsOf(settings),
    program: inContainers(embeddedHoldfast(context, settings)),
  });
  if (flags.manifests !== undefined) await startApplication(cluster, { ...settings, manifests: flags.manifests });
  await serveUntilStopped(context, flags, { folder, url: settings.url, wire }, cluster);
  return exitCodes.done;
}

const folderUnusable = asUsageError('the kubeconfig cannot be written', 'name another folder with --out');

/**
 * As long as phase 3 may take from the apply to the welcome page: new nodes, the load balancer's targets and the DNS
 * record.
 */
const applicationSeconds = 330;

const startApplication = (cluster: EmbeddedCluster, settings: Settings): Promise<void> =>
  cluster.run(async () => {
    for (const object of manifests(settings))
      await cluster.kubernetes('holdfast').apply(object, { fieldManager: 'holdfast' });
    await cluster.clock.sleep(applicationSeconds);
  });

async function serveUntilStopped(
  { host, flags: { json } }: Context,
  { listenFor }: ListenFlags,
  { folder, url, wire }: { readonly folder: string; readonly url: string; readonly wire: WireFaults },
  cluster: EmbeddedCluster,
): Promise<void> {
  const requireReachable = apiReachability(host.clock, wire);
  const listening = await cluster.listen({ clock: host.clock, requireReachable, namespaceFolder: folder });
  const stopping = new AbortController();
  const forget = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => stopping.abort());
  try {
    const path = `${folder}/kubeconfig`;
    // Only its owner may read it: it holds the token.
    await host.files.replace(path, listening.kubeconfig, { mode: 0o600 }).catch(folderUnusable);
    // An absolute path, because another terminal may be in another folder.
    const kubeconfig = (await host.files.realPath(path)) ?? path;
    const settings = settingsOf(kubeconfig, url, listening);
    host.out.write(json ? `${JSON.stringify(settings)}\n` : listenText(settings));
    await Promise.race([listening.failure, host.clock.sleep(listenFor ?? Number.POSITIVE_INFINITY, stopping.signal)]);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    stopping.abort();
    forget();
    listening.close();
  }
}
