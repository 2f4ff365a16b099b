import type { ClusterClient } from '../../cluster/client.ts';
import { ApiError, type NamespacedName } from '../../cluster/cluster.ts';
import type { Resource } from '../../cluster/kinds.ts';
import { isNeededBy, type Manifest } from '../../cluster/manifest.ts';
import type { AnyObject } from '../../cluster/objects.ts';
import type { Settings } from '../settings.ts';
import { differences } from './differences.ts';
import { appliedManifests } from './manifests.ts';

/** What applying an object would do, by the API server's dry run. Nothing is written. */
export interface Preview {
  readonly resource: Resource;
  /** The object now; absent if there is none yet. */
  readonly live?: Resource;
  /**
   * The object as it would be; absent if the server refuses, or if its namespace or its definition is still to be made.
   */
  readonly planned?: Resource;
  readonly refusal?: ApiError;
}

/** The name of holdfast in `managedFields`. */
export const fieldManager = 'holdfast';

/** A preview of each object of phase 3, in its order. */
export async function previewManifests(cluster: ClusterClient, settings: Settings): Promise<readonly Preview[]> {
  const previews: Preview[] = [];
  for (const manifest of appliedManifests(settings)) {
    const isUnaskable = previews.some(({ resource, live }) => live === undefined && isNeededBy(resource, manifest));
    previews.push(isUnaskable ? { resource: manifest.resource } : await preview(cluster, manifest));
  }
  return previews;
}

async function preview(cluster: ClusterClient, { resource, place }: Manifest): Promise<Preview> {
  const objects = cluster.objectsOf(place);
  const live = (await objects.get(placeOf(resource))) as Resource | undefined;
  const known = { resource, ...(live === undefined ? {} : { live }) };
  try {
    return { ...known, planned: (await objects.apply(resource, { fieldManager, dryRun: true })) as Resource };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...known, refusal: error };
  }
}

export function placeOf({ metadata: { name, namespace } }: Pick<AnyObject, 'metadata'>): NamespacedName {
  return { name, ...(namespace === undefined ? {} : { namespace }) };
}

/**
 * Whether holdfast applied it, in this run or an earlier one: false for an object of that name that somebody else
 * created since.
 */
export function isOurs({ metadata: { managedFields = [] } }: Pick<AnyObject, 'metadata'>): boolean {
  return managedFields.some(({ manager, operation }) => manager === fieldManager && operation === 'Apply');
}

/** `Deployment default/nginx-test`. */
export function nameOf({ kind, metadata }: AnyObject): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

/**
 * JSON Pointers of the fields that applying would change, without those that the server sets; none if there is no
 * object yet.
 */
export function changesOf({ live, planned }: Preview): readonly string[] {
  return live === undefined || planned === undefined
    ? []
    : differences(withoutServerSet(live), withoutServerSet(planned));
}

const serverSet = new Set(['managedFields', 'resourceVersion', 'generation', 'creationTimestamp', 'uid']);

function withoutServerSet({ metadata, ...rest }: Resource): object {
  const kept = Object.entries(metadata).filter(([key]) => !serverSet.has(key));
  return { ...rest, metadata: Object.fromEntries(kept), status: undefined };
}
