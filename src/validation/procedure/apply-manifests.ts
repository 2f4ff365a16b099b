import type { NodePool } from '../../cluster/autoscaler.ts';
import type { Begun } from '../actions/action.ts';
import { type Acting, performAction } from '../actions/perform-action.ts';
import type { Expectation } from '../finding.ts';
import { manifests } from '../manifests/manifests.ts';
import { poolChange } from '../manifests/pool-change.ts';
import { previewManifests } from '../manifests/preview.ts';
import type { Before } from '../observe/snapshot.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';

/**
 * The first half of phase 3 of 4.1: applies the node pool, then Deployment, Service, Ingress and PodDisruptionBudget; `onBegun` gets
 * each action before its first write. Applies nothing when the change of the pool would replace nodes: returns that as the expectation
 * that is not met (section 7: a configuration error).
 */
export async function applyManifests(
  acting: Acting,
  settings: Settings,
  before: Before,
  onBegun: (begun: Begun) => void,
): Promise<Expectation | undefined> {
  const foreseen = await foreseenRestarts(acting.site, settings, before);
  if (foreseen !== undefined) return foreseen;
  for (const target of manifests(settings)) {
    await performAction(acting, null, { action: 'apply-object', target }, onBegun);
  }
  return undefined;
}

async function foreseenRestarts(
  { cluster }: Site,
  settings: Settings,
  { claims, nodes }: Before,
): Promise<Expectation | undefined> {
  const previews = await previewManifests(cluster, settings);
  const pool = previews.find(({ resource }) => resource.kind === 'NodePool');
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
