import { manifests } from './manifests.ts';
import type { Begun } from './perform-action.ts';
import { performAction } from './perform-action.ts';
import type { Run } from './run.ts';

/**
 * Phase 3 of 4.1: the node pool, then Deployment, Service, Ingress and PodDisruptionBudget. Says what it applied, because
 * the caller decides in the end whether that stays (the specification's way) or goes (`--cleanup`).
 */
export async function applyManifests(run: Run, began: (begun: Begun) => void): Promise<void> {
  for (const target of manifests(run.settings)) {
    await performAction(run, null, { action: 'apply-object', target }, began);
  }
}
