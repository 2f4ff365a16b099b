import type { NodePool } from '../../cluster/autoscaler.ts';
import { isDefinition, type Manifest } from '../../cluster/manifest.ts';
import { isTrue } from '../../cluster/pods.ts';
import { poll } from '../../cluster/poll.ts';
import { OperationError } from '../../host/errors.ts';
import type { Begun } from '../actions/action.ts';
import { type Acting, performAction } from '../actions/perform-action.ts';
import type { Expectation } from '../finding.ts';
import { appliedManifests } from '../manifests/manifests.ts';
import { poolChange } from '../manifests/pool-change.ts';
import { nameOf, placeOf, previewManifests } from '../manifests/preview.ts';
import type { Before } from '../observe/snapshot.ts';
import { isPoolOf, type Settings } from '../settings.ts';
import type { Site } from '../site.ts';

/**
 * The first half of phase 3 of 4.1: applies the node pool, then Deployment, Service, Ingress and PodDisruptionBudget,
 * or the manifests of `-f`, without those that are `done`: two applications may share a pool. `onBegun` gets each
 * action before its first write. Applies nothing when the change of the pool would replace nodes: returns that as the
 * expectation that is not met (section 7: a configuration error).
 */
export async function applyManifests(
  acting: Acting,
  settings: Settings,
  before: Before,
  done: ReadonlySet<string>,
  onBegun: (begun: Begun) => void,
): Promise<Expectation | undefined> {
  const foreseen = await foreseenRestarts(acting.site, settings, before);
  if (foreseen !== undefined) return foreseen;
  for (const target of appliedManifests(settings).filter(({ resource }) => !done.has(nameOf(resource)))) {
    await performAction(acting, null, { action: 'apply-object', target }, onBegun);
    if (isDefinition(target.resource)) await served(acting, target);
  }
  return undefined;
}

async function foreseenRestarts(
  { cluster }: Site,
  settings: Settings,
  { claims, nodes }: Before,
): Promise<Expectation | undefined> {
  const previews = await previewManifests(cluster, settings);
  const pool = previews.find(({ resource }) => isPoolOf(settings, resource));
  if (pool?.live === undefined || pool.planned === undefined) return undefined;
  const { because, drifts } = poolChange(pool.live as NodePool, pool.planned as NodePool, claims, nodes);
  if (drifts.length === 0 || because.length === 0) return undefined;
  return {
    id: 'no-disruption',
    expected: 'no disruption and no node termination after applying the node pool',
    outcome: 'not-met',
    observed: `not applied: ${because.join(', ')} would replace ${drifts.join(', ')}`,
    advice:
      'a configuration error: change the pool by itself first, at a quiet time, and run again when its nodes are replaced',
  };
}

/** What Helm waits for a definition (helm: pkg/action/install.go, installCRDs). */
const servedWithinSeconds = 60;

/** The API server serves the kind of a new definition a moment later. */
async function served(acting: Acting, { resource, place }: Manifest): Promise<void> {
  const objects = acting.site.cluster.objectsOf(place);
  const isServed = async () => {
    const found = (await objects.get(placeOf(resource))) as Parameters<typeof isTrue>[0] | undefined;
    return found !== undefined && isTrue(found, 'Established');
  };
  if (await poll(acting, servedWithinSeconds, isServed)) return;
  throw new OperationError({
    tried: 'apply',
    on: nameOf(resource),
    reason: `the API server does not serve its kind after ${servedWithinSeconds} s`,
    next: `see kubectl describe crd ${resource.metadata.name}`,
  });
}
