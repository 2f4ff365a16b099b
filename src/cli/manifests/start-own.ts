import { applyObjects } from '@holdfast/embedded-cluster';
import { type ClusterClient, connect } from '../../cluster/client.ts';
import { requirementText } from '../../cluster/requirements.ts';
import { podsWanted, type Workload } from '../../cluster/workload.ts';
import { apiServerUrl, type Rehearsal } from '../../rehearsal/host.ts';
import { isExpected } from '../../settings/expected-status.ts';
import { applicationsOf } from '../../validation/applications.ts';
import { assumedNodes, assumedPoolNodes } from '../../validation/manifests/assumed-nodes.ts';
import { assumedPool } from '../../validation/manifests/own-settings.ts';
import { poolSelector } from '../../validation/observe/snapshot.ts';
import type { Settings } from '../../validation/settings.ts';
import { type OwnManifests, servedObjects } from './read-own.ts';

/**
 * How long a new node, its images, the application's start and its DNS record take at most (docs/fidelity.md): 450 s
 * and 180 s, doubled.
 */
const upWithinSeconds = 1260;
const lookEverySeconds = 5;
/**
 * Two rounds of external-dns and of ingress-nginx' status after the first answer, so that nothing of the start is under
 * way.
 */
const restSeconds = 120;

/**
 * Applies the manifests to the embedded cluster, and the node pools if they bring none; waits until the applications of
 * the run answer, or 21 minutes of virtual time.
 */
export async function startOwn({ host, world }: Rehearsal, own: OwnManifests, settings: Settings): Promise<void> {
  const all = applicationsOf(settings).map((one, index) => ({
    own: [own, ...own.others][index] ?? own,
    settings: one,
  }));
  await applyObjects(world.api, startingObjects(own, all), own.application.namespace);
  const cluster = connect(host, { server: apiServerUrl });
  const endsAt = host.clock.monotonicSeconds() + upWithinSeconds;
  for (;;) {
    while (!(await areUp(host, cluster, all)) || (await isReplacing(cluster))) {
      if (host.clock.monotonicSeconds() >= endsAt) return;
      await host.clock.sleep(lookEverySeconds);
    }
    await host.clock.sleep(restSeconds);
    if (!(await isReplacing(cluster))) return;
  }
}

/** What the nodes are where the manifests have no NodePool, for people. */
export function assumedPoolNote({ pool, application }: OwnManifests, settings: Settings): readonly string[] {
  if (pool !== undefined) return [];
  const { metadata, spec } = assumedPool(settings, application.workload.spec.template.spec);
  const nodes = spec.template.spec.requirements.map(requirementText).join('; ');
  return [`There is no NodePool among the manifests: ${metadata.name} is assumed (${nodes}).`];
}

interface Started {
  readonly own: OwnManifests;
  readonly settings: Settings;
}

function startingObjects(own: OwnManifests, all: readonly Started[]): Parameters<typeof applyObjects>[1] {
  const each = all.map(({ own: { application, pool }, settings }) => {
    const assumed = assumedPool(settings, application.workload.spec.template.spec);
    return { pools: pool === undefined ? [assumed] : [], nodes: assumedNodes(application, pool ?? assumed) };
  });
  const others = own.others.slice(0, all.length - 1);
  return [
    ...distinct(each.flatMap(({ pools }) => pools)),
    ...servedObjects(own, others),
    ...distinct(each.flatMap(({ nodes }) => nodes)),
  ];
}

/** Two applications may have one pool. */
function distinct<T extends { readonly metadata: { readonly name: string } }>(objects: readonly T[]): readonly T[] {
  return [...new Map(objects.toReversed().map((one) => [one.metadata.name, one])).values()].toReversed();
}

async function areUp(host: Rehearsal['host'], cluster: ClusterClient, all: readonly Started[]): Promise<boolean> {
  for (const { own, settings } of all) if (!(await isUp(host, cluster, own, settings))) return false;
  return true;
}

async function isUp(
  host: Rehearsal['host'],
  cluster: ClusterClient,
  { application: { kind, namespace, name } }: OwnManifests,
  settings: Settings,
): Promise<boolean> {
  const { url, monitor } = settings;
  const workload = await cluster.get(kind, { namespace, name });
  if (workload === undefined || available(workload) !== (podsWanted(workload) ?? 1)) return false;
  // Those of a DaemonSet on other nodes are there before the first node of the pool is.
  if (workload.kind === 'DaemonSet' && !(await hasPoolNodes(cluster, settings))) return false;
  return isExpected((await host.probe({ url }, 'new', monitor.timeout)).status, monitor.expect);
}

const available = ({ kind, status }: Workload): number | undefined =>
  kind === 'DaemonSet' ? status?.numberAvailable : status?.availableReplicas;

async function hasPoolNodes(cluster: ClusterClient, settings: Settings): Promise<boolean> {
  const nodes = await cluster.list('Node', { labelSelector: poolSelector(settings) });
  return nodes.length >= assumedPoolNodes;
}

/** Karpenter may consolidate what it has just launched: a validation begins when it has ended. */
async function isReplacing(cluster: ClusterClient): Promise<boolean> {
  const claims = await cluster.list('NodeClaim');
  return claims.some(({ metadata }) => metadata.deletionTimestamp !== undefined);
}
