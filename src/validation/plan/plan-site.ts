import type { Cloud, RecordSet } from '../../cloud/cloud.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import type { NamespacedName } from '../../cluster/cluster.ts';
import type { Kind, Resource } from '../../cluster/kinds.ts';
import type { Preview } from '../manifests/preview.ts';
import { type Settings, wayInOf } from '../settings.ts';
import type { Site } from '../site.ts';
import { foreseenRecords } from './foreseen-records.ts';
import { claimOf, placeholderNodes, placeholders } from './plan-placeholders.ts';

/**
 * A site whose reads answer as they will after phase 3, so that a plan is made from the objects that will exist: the applied objects as
 * previewed, and placeholders for what is not known yet. Only for reading.
 */
export async function planSite(
  { cluster, cloud, ...site }: Site,
  previews: readonly Preview[],
  settings: Settings,
): Promise<Site> {
  const applied = previews.map(({ resource, live, planned }) => planned ?? live ?? resource);
  const way = wayInOf(settings)?.kind;
  const isNew = previews.some(({ resource, live }) => resource.kind === way && live === undefined);
  const nodes = placeholderNodes(settings);
  const known = [...applied, ...nodes, ...nodes.map((node) => claimOf(node, settings))];
  return {
    ...site,
    cluster: clusterWith(cluster, known),
    ...(cloud === undefined
      ? {}
      : { cloud: cloudWith(cloud, settings, isNew ? await foreseenRecords(cluster, settings) : []) }),
  };
}

function clusterWith(cluster: ClusterClient, resources: readonly Resource[]): ClusterClient {
  const known = new Map(resources.map((resource) => [keyOf(resource.kind, resource.metadata), resource]));
  const get = async (kind: Kind, at: NamespacedName) => known.get(keyOf(kind, at)) ?? cluster.get(kind, at);
  const isOnPlaceholder = (fieldSelector = ''): boolean =>
    [placeholders.node, placeholders.otherNode].some((node) => fieldSelector === `spec.nodeName=${node}`);
  return {
    ...cluster,
    get: get as ClusterClient['get'],
    objectsOf: (place) => {
      const objects = cluster.objectsOf(place);
      return { ...objects, get: async (at) => known.get(keyOf(place.kind, at)) ?? objects.get(at) };
    },
    list: async (kind, where) => (isOnPlaceholder(where?.fieldSelector) ? [] : cluster.list(kind, where)),
  };
}

const keyOf = (kind: string, { namespace = '', name }: NamespacedName): string => `${kind} ${namespace}/${name}`;

/** With an Ingress that is still to be applied, the zone has the records that the DNS automation will create. */
function cloudWith(cloud: Cloud, { nodePool }: Settings, foreseen: readonly RecordSet[]): Cloud {
  const { instance: id } = placeholders;
  return {
    ...cloud,
    instance: async (providerId) =>
      providerId === id
        ? { id, state: 'running', tags: { 'karpenter.sh/nodepool': nodePool.name } }
        : cloud.instance(providerId),
    records: async (zone, names) => {
      const found = await cloud.records(zone, names);
      return found.length === 0 ? foreseen : found;
    },
  };
}
