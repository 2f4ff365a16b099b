import type { Cloud, RecordSet } from '../../cloud/cloud.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import type { Cluster, NamespacedName } from '../../cluster/cluster.ts';
import type { Kind, Resource } from '../../cluster/kinds.ts';
import type { Preview } from '../manifests/preview.ts';
import { entranceOf, type Settings, wayInOf } from '../settings.ts';
import type { Site } from '../site.ts';
import { claimOf, placeholderNodes, placeholders } from './plan-placeholders.ts';

/**
 * A site whose reads answer as they will after phase 3, so that a plan is made from the objects that will exist: the
 * applied objects as previewed, and placeholders for what is not known yet. Only for reading.
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

/** The host name of an AWS load balancer: external-dns makes aliases to those (docs/facts/dns.md, "external-dns"). */
const loadBalancer = /\.elb\.([a-z0-9-]+\.)?amazonaws\.com(\.cn)?$/;

/**
 * The records that external-dns will create: aliases A and AAAA for a load balancer of AWS, unless it prefers a CNAME.
 */
export async function foreseenRecords(cluster: Cluster, settings: Settings): Promise<readonly RecordSet[]> {
  const { url, dns } = settings;
  const { recordValue } = placeholders;
  const record = { name: new URL(url).hostname, values: [recordValue], whole: '' };
  if (!(await makesAliases(cluster, settings))) return [{ ...record, type: 'CNAME', ttlSeconds: dns.ttl }];
  const alias = { zoneId: recordValue, name: recordValue, evaluatesTargetHealth: true };
  return ['A', 'AAAA'].map((type) => ({ ...record, type, ttlSeconds: null, alias }));
}

async function makesAliases(cluster: Cluster, settings: Settings): Promise<boolean> {
  const { namespace: of, selector } = settings.dnsAutomation;
  const [service, automation] = await Promise.all([
    cluster.get('Service', entranceOf(settings)),
    cluster.list('Pod', { namespace: of, labelSelector: selector }),
  ]);
  const hosts = (service?.status?.loadBalancer?.ingress ?? []).map(({ hostname = '' }) => hostname);
  const containers = automation.flatMap(({ spec }) => spec.containers);
  const prefersCname = containers.some(({ args = [] }) => args.some((arg) => /^--aws-prefer-cname(=true)?$/.test(arg)));
  return hosts.some((host) => loadBalancer.test(host)) && !prefersCname;
}
