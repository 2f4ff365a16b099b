import type { Cloud, RecordSet } from '../../cloud/cloud.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Workload } from '../../cluster/workload.ts';
import { OperationError } from '../../host/errors.ts';
import { appliedManifests } from '../manifests/manifests.ts';
import { readSnapshot } from '../observe/snapshot.ts';
import type { Settings } from '../settings.ts';
import { type Circumstances, circumstancesOf, type NameRecord } from './circumstances.ts';

/**
 * Reads what predictions depend on. If there is no application yet, it is taken as phase 3 will apply it. The zone is
 * read only with a cloud, because only the prediction of a scenario that acts on it depends on the zone.
 */
export async function readCircumstances(cluster: Cluster, settings: Settings, cloud?: Cloud): Promise<Circumstances> {
  const { namespace, selector } = settings.autoscaler;
  const [before, autoscaler, record] = await Promise.all([
    readSnapshot(cluster, settings),
    cluster.list('Pod', { namespace, labelSelector: selector }),
    cloud === undefined ? undefined : readNameRecord(cloud, settings),
  ]);
  const objects = { before, autoscaler, record };
  if (before.workload !== undefined) return circumstancesOf(objects);
  const { application, applicationKind } = settings;
  const planned = appliedManifests(settings).find(
    ({ resource: { kind, metadata } }) => kind === applicationKind && metadata.name === application,
  )?.resource as Workload | undefined;
  return whenApplied(circumstancesOf({ ...objects, before: { ...before, workload: planned } }));
}

/**
 * The circumstances after phase 3 if no pod runs yet: replicas that are spread over the nodes are on two, others may
 * share one.
 */
export function whenApplied(now: Circumstances): Circumstances {
  const applicationNodes = now.oneReplicaANode ? 2 : 1;
  const applicationZones = now.spreadOverZones ? 2 : 1;
  return { ...now, applicationNodes, applicationZones, poolNodes: Math.max(now.poolNodes, applicationNodes) };
}

/** The TTL of an alias to a load balancer, which cannot be set (docs/facts/aws.md, "Route 53"). */
const aliasTtlSeconds = 60;

const addressTypes: readonly string[] = ['A', 'AAAA', 'CNAME'];

/** The records of the application's name in its zone; undefined if there are none, or the cloud does not tell. */
export async function readNameRecord(cloud: Cloud, { url, dns }: Settings): Promise<NameRecord | undefined> {
  try {
    const zone = await cloud.zone(dns.zone);
    return zone && nameRecordOf(await cloud.records(zone, [new URL(url).hostname]));
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

function nameRecordOf(all: readonly RecordSet[]): NameRecord | undefined {
  const sets = all.filter(({ type }) => addressTypes.includes(type));
  if (sets.length === 0) return undefined;
  return {
    types: sets.map(({ type }) => type),
    isAlias: sets.some(({ alias }) => alias !== undefined),
    ttlSeconds: Math.max(...sets.map(({ ttlSeconds }) => ttlSeconds ?? aliasTtlSeconds)),
  };
}
