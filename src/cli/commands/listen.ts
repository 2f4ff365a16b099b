import { setupWith } from '../../../packages/embedded-cluster/src/defects.ts';
import { listen as listenOn } from '../../../packages/embedded-cluster/src/listen/listen.ts';
import { type RealTimeWorld, realTimeWorld } from '../../../packages/embedded-cluster/src/listen/real-time-world.ts';
import { settledWorld } from '../../../packages/embedded-cluster/src/listen/settled-world.ts';
import type { World } from '../../../packages/embedded-cluster/src/world/world.ts';
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

/** `rehearse --listen`: serves the embedded cluster on loopback in real time, for `listenFor` or until SIGINT, SIGTERM or SIGHUP. */
export async function listen(context: Context, flags: ListenFlags): Promise<number> {
  const { host } = context;
  const settings = await readValidationSettings(context, {});
  const options = worldOf(flags, settings);
  const text = `${JSON.stringify({ validation: recorded(settings) }, null, 2)}\n`;
  const folder = flags.out ?? (await createRunFolder(context, undefined, 'rehearsal', text));
  await host.files.makeFolder(folder).catch(folderUnusable);
  const saved = await settledWorld({ ...options, endsAt: host.clock.wallAt() });
  const program = embeddedHoldfast(context, settings);
  const real = await realTimeWorld({ ...options, clock: host.clock, saved, program });
  try {
    await serveUntilStopped(context, flags, { folder, url: settings.url }, real);
  } finally {
    real.close();
  }
  return exitCodes.done;
}

const folderUnusable = asUsageError('the kubeconfig cannot be written', 'name another folder with --out');

/** As long as phase 3 may take from the apply to the welcome page: new nodes, the load balancer's targets and the DNS record. */
const applicationSeconds = 330;

function worldOf({ seed, defect, nodes, manifests: profile }: ListenFlags, settings: Settings) {
  const setup = setupWith(defect, surroundingsOf(settings));
  const apply = async ({ apiServer }: World) => {
    const cluster = apiServer.cluster('holdfast');
    for (const object of manifests({ ...settings, manifests: profile ?? 'none' }))
      await cluster.apply(setup.admit(object), { fieldManager: 'holdfast' });
  };
  return {
    seed: String(seed),
    setup,
    tenantNodes: nodes,
    first: profile === undefined ? undefined : { seconds: applicationSeconds, make: apply },
  };
}

async function serveUntilStopped(
  { host, flags: { json } }: Context,
  { defect, listenFor }: ListenFlags,
  { folder, url }: { readonly folder: string; readonly url: string },
  { world }: RealTimeWorld,
): Promise<void> {
  const requireReachable = apiReachability(host.clock, setupWith(defect).wire);
  const listening = await listenOn({ world, at: host.clock.wallAt(), requireReachable, namespaceFolder: folder });
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
    await Promise.race([world.failure, host.clock.sleep(listenFor ?? Number.POSITIVE_INFINITY, stopping.signal)]);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    stopping.abort();
    forget();
    listening.close();
  }
}
