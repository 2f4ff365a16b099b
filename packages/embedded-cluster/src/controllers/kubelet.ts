import { specNamed } from '../kubelet/pod-containers.ts';
import { type Report, reportOf } from '../kubelet/pod-status.ts';
import { probeFailsAt } from '../kubelet/probes.ts';
import { haveEnded, isRestarted, restartAt } from '../kubelet/restarting.ts';
import { probedUnderStrain } from '../kubelet/strained.ts';
import type { Pod } from '../kubernetes/resources.ts';
import { hasExited } from '../machines/containers.ts';
import { kubeletRuns } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import { claimKeysOf } from '../objects/claims.ts';
import { sameJson } from '../objects/json.ts';
import { defaultGraceSeconds, isFinished } from '../objects/pods.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { ApplicationBehaviour } from '../setup/setup.ts';
import type { Controller } from '../setup/site.ts';
import type { Surroundings } from '../setup/surroundings.ts';
import { type PodWork, type RunsProgram, restart, startNext, stop, stopInOrder } from './kubelet-containers.ts';

type Played = Pick<ApplicationBehaviour, 'own'> & Pick<Surroundings, 'missingImages'>;

/** The kubelets of all nodes: pods → containers, containers → pod status. On a machine that is off nothing happens. */
export function kubelet(
  machines: Machines,
  { own, missingImages }: Played = { own: undefined, missingImages: [] },
  runsProgram: RunsProgram = () => false,
): Controller {
  return reconciler({
    name: 'kubelet',
    watches: {
      Pod: (pod) => (pod.spec.nodeName === undefined ? [] : [keyOf(pod)]),
      Node: ({ metadata, status }, cache) =>
        status?.volumesInUse === undefined ? [] : podsWithClaims(metadata.name, cache),
      VolumeAttachment: ({ spec }, cache) => podsWithClaims(spec.nodeName, cache),
    },
    alsoWatches: (_site, add) => machines.onContainerChange(add),
    reaction: 'kubeletReaction',
    reconcile: async (site, key) => {
      const pod = site.cache.get('Pod', key);
      killOrphanedContainers(machines, key, pod);
      const instance = machines.instanceOfNode(pod?.spec.nodeName ?? '');
      if (pod === undefined || instance === undefined || !kubeletRuns(instance, site.now())) return undefined;
      if (isFinished(pod) && pod.metadata.deletionTimestamp === undefined) return undefined;
      const work: PodWork = { machines, site, pod, key, instance, own, runsProgram, missingImages };
      return pod.metadata.deletionTimestamp === undefined ? syncPod(work) : syncTerminatingPod(work);
    },
  });
}

const podsWithClaims = (nodeName: string, cache: Cache): readonly string[] =>
  [...cache.podsOn(nodeName)].filter((pod) => claimKeysOf(pod).length > 0).map(keyOf);

/** Kills containers whose pod is gone from the API, or was replaced by one of the same name (HandlePodCleanups). */
function killOrphanedContainers(machines: Machines, key: string, pod: Pod | undefined): void {
  for (const container of machines.containersOf(key)) {
    if (container.podUid !== pod?.metadata.uid) machines.remove(container.id);
  }
}

async function syncPod(work: PodWork): Promise<number | undefined> {
  const { machines, site, key, pod } = work;
  const now = site.now();
  const existing = machines.containersOf(key);
  const graceSeconds = pod.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds;
  startNext(work);
  const hasEnded = haveEnded(pod, existing, now);
  const [ended, running] = [
    existing.filter((one) => hasExited(one, now)),
    existing.filter((one) => !hasExited(one, now)),
  ];
  if (hasEnded) stopInOrder(work, running, graceSeconds, 'container');
  const exited = hasEnded ? [] : ended.filter((one) => isRestarted(pod, one));
  for (const container of exited) if (restartAt(container) <= now) restart(work, container);
  const failures = probeFailures(work);
  for (const { container, at } of failures) if (at <= now) stop(work, container, graceSeconds, { ends: 'container' });
  const probes = probeUnderStrain(work, graceSeconds);
  const { changesAt = Number.POSITIVE_INFINITY } = await report(work);
  const ends = machines.containersOf(key).flatMap(({ exitsAt }) => exitsAt ?? []);
  const later = [changesAt, ...exited.map(restartAt), ...failures.map(({ at }) => at), ...ends, ...probes].filter(
    (at) => at > now,
  );
  const next = Math.min(...later);
  return Number.isFinite(next) ? (next - now) / 1000 : undefined;
}

/** Probes the containers whose requests wait; when the next probes of them are due, epoch milliseconds. */
function probeUnderStrain(work: PodWork, graceSeconds: number): readonly number[] {
  const { machines, site, pod, key } = work;
  return machines.containersOf(key).flatMap((container) => {
    const spec = specNamed(pod, container.name);
    const { strain } = container;
    if (strain === undefined || spec === undefined || container.exitsAt !== undefined) return [];
    const waitSeconds = machines.waitSeconds(container.id);
    const found = probedUnderStrain({ container: { ...container, strain }, spec, at: site.now(), waitSeconds });
    machines.setStrain(container.id, found.strain);
    if (found.isDead) stop(work, container, graceSeconds, { ends: 'container' });
    return found.nextAt ?? [];
  });
}

/** When the startup or liveness probe of each probed container fails for good, epoch milliseconds. */
function probeFailures({ machines, pod, key }: PodWork) {
  return machines.containersOf(key).flatMap((container) => {
    const spec = specNamed(pod, container.name);
    const isProbed = spec?.livenessProbe !== undefined || spec?.startupProbe !== undefined;
    if (spec === undefined || !isProbed || container.exitsAt !== undefined || container.unpulled) return [];
    return [{ container, at: probeFailsAt(container, spec) }];
  });
}

/**
 * The grace period runs from the moment the kubelet sees the deletion; when all containers are cleaned up the pod is
 * removed.
 */
async function syncTerminatingPod(work: PodWork): Promise<number | undefined> {
  const { machines, site, key, pod } = work;
  const graceSeconds = pod.metadata.deletionGracePeriodSeconds ?? defaultGraceSeconds;
  stopInOrder(work, machines.containersOf(key), graceSeconds, 'pod');
  const now = site.now();
  const containers = machines.containersOf(key);
  const reapedAt = Math.max(now, ...containers.map((container) => container.reapedAt ?? now));
  await report(work);
  if (reapedAt > now) return (nextChangeAt(work, reapedAt) - now) / 1000;
  for (const container of containers) machines.remove(container.id);
  await site.cluster.delete('Pod', placeOf(key), { uid: pod.metadata.uid ?? '', gracePeriodSeconds: 0 });
  return undefined;
}

function nextChangeAt({ machines, site, pod, key, instance }: PodWork, latest: number): number {
  return Math.min(latest, reportOf(pod, machines.containersOf(key), instance, site.now()).changesAt ?? latest);
}

async function report({ machines, site, pod, key, instance }: PodWork): Promise<Report> {
  const reported = reportOf(pod, machines.containersOf(key), instance, site.now());
  const { status } = reported;
  // Its containers may be gone already: a finalizer keeps it.
  if (isFinished(pod)) return reported;
  if (!sameJson({ ...pod.status, ...status }, pod.status))
    await site.cluster.patch('Pod', placeOf(key), { type: 'merge', value: { status } }, { subresource: 'status' });
  return reported;
}
