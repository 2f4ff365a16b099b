import type { NodePool } from '../../cluster/autoscaler.ts';
import type { Begun } from '../actions/action.ts';
import { performAction } from '../actions/perform-action.ts';
import type { Expectation } from '../finding.ts';
import { manifests } from '../manifests/manifests.ts';
import { poolChange } from '../manifests/pool-change.ts';
import { previewManifests } from '../manifests/preview.ts';
import type { Before } from '../observe/snapshot.ts';
import type { Run } from './run.ts';

/**
 * Phase 3 of 4.1: the node pool, then Deployment, Service, Ingress and PodDisruptionBudget. Says what it applied, because
 * the caller decides in the end whether that stays (the specification's way) or goes (`--cleanup`). Applies nothing when the
 * pool's change would replace nodes: that is the configuration error that section 7 speaks of, and it is returned.
 */
export async function applyManifests(
  run: Run,
  before: Before,
  began: (begun: Begun) => void,
): Promise<Expectation | undefined> {
  const foreseen = await foreseenRestarts(run, before);
  if (foreseen !== undefined) return foreseen;
  for (const target of manifests(run.settings)) {
    await performAction(run, null, { action: 'apply-object', target }, began);
  }
  return undefined;
}

async function foreseenRestarts({ site, settings }: Run, { claims, nodes }: Before): Promise<Expectation | undefined> {
  const previews = await previewManifests(site.cluster, settings);
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
