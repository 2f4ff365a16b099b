import { ApiError, type Cluster, type NamespacedName } from '../../cluster/cluster.ts';
import type { Kind, Resource } from '../../cluster/kinds.ts';
import type { Settings } from '../settings.ts';
import { differences } from './differences.ts';
import { manifests } from './manifests.ts';

/** What applying an object would do, by the server's own dry run. Nothing is written. */
export interface Preview {
  readonly resource: Resource;
  /** Absent when it is not there yet. */
  readonly live?: Resource;
  /** As it would be; absent when the server refuses. */
  readonly planned?: Resource;
  readonly refusal?: ApiError;
}

/** By this name our fields are known in `managedFields`. */
export const fieldManager = 'holdfast';

/** The objects of phase 3, in their order. */
export async function previewManifests(cluster: Cluster, settings: Settings): Promise<readonly Preview[]> {
  const previews: Preview[] = [];
  for (const resource of manifests(settings)) previews.push(await preview(cluster, resource));
  return previews;
}

async function preview(cluster: Cluster, resource: Resource): Promise<Preview> {
  const live = await cluster.get(resource.kind as Kind, placeOf(resource));
  const known = { resource, ...(live === undefined ? {} : { live }) };
  try {
    return { ...known, planned: await cluster.apply(resource, { fieldManager, dryRun: true }) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...known, refusal: error };
  }
}

export function placeOf({ metadata: { name, namespace } }: Resource): NamespacedName {
  return { name, ...(namespace === undefined ? {} : { namespace }) };
}

/** Pure. Whether it was applied by us, in this run or an earlier one: what somebody else made anew under its name was not. */
export function isOurs({ metadata: { managedFields = [] } }: Resource): boolean {
  return managedFields.some(({ manager, operation }) => manager === fieldManager && operation === 'Apply');
}

/** `Deployment default/nginx-test`. */
export function nameOf({ kind, metadata }: Resource): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

/** Pure. JSON Pointers of what applying would change in an object that is there, without what the server sets by itself. */
export function changesOf({ live, planned }: Preview): readonly string[] {
  return live === undefined || planned === undefined ? [] : differences(chosen(live), chosen(planned));
}

const serverSet = new Set(['managedFields', 'resourceVersion', 'generation', 'creationTimestamp', 'uid']);

function chosen({ metadata, ...rest }: Resource): object {
  const kept = Object.entries(metadata).filter(([key]) => !serverSet.has(key));
  return { ...rest, metadata: Object.fromEntries(kept), status: undefined };
}
