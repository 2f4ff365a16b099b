import type { NodePool } from '../../cluster/autoscaler.ts';
import type { Node } from '../../cluster/resources.ts';
import { zoneLabel } from '../observe/probe-zones.ts';
import { inTemplate, type Obstacle, type Stuck } from './obstacle.ts';

/** The pods want zones in which the pool has no nodes. */
export function zoneObstacle(stuck: Stuck, pool: NodePool): Obstacle | undefined {
  const zones = zonesOf(pool);
  return zones === undefined ? undefined : (overZones(stuck, pool, zones) ?? apartByZone(stuck, pool, zones));
}

/** Undefined of a pool that names none, and launches in every zone of its node class. */
const zonesOf = ({ spec }: NodePool): readonly string[] | undefined =>
  spec.template.spec.requirements.find(({ key, operator }) => key === zoneLabel && operator === 'In')?.values;

/**
 * Without `nodeTaintsPolicy: Honor` the zones of all nodes count, also of those that take no such pod (core/v1,
 * TopologySpreadConstraint).
 */
function overZones({ workload, nodes }: Stuck, { metadata: { name } }: NodePool, zones: readonly string[]) {
  const { topologySpreadConstraints = [], nodeSelector = {} } = workload.spec.template.spec;
  const counted = (node: Node): boolean =>
    Object.entries(nodeSelector).every(([key, value]) => node.metadata.labels?.[key] === value);
  const there = nodes.filter(counted).flatMap(({ metadata }) => metadata.labels?.[zoneLabel] ?? []);
  const elsewhere = [...new Set(there)].filter((zone) => !zones.includes(zone)).toSorted();
  const constraint = topologySpreadConstraints.find(
    ({ topologyKey, whenUnsatisfiable, minDomains = 1, nodeTaintsPolicy }) =>
      topologyKey === zoneLabel &&
      whenUnsatisfiable === 'DoNotSchedule' &&
      (minDomains > zones.length || (nodeTaintsPolicy !== 'Honor' && elsewhere.length > 0)),
  );
  if (constraint === undefined) return undefined;
  const { minDomains = 1 } = constraint;
  const wanted =
    minDomains > zones.length ? `over ${minDomains} zones` : `also over ${elsewhere.join(', ')}, where other nodes are`;
  return {
    because: inTemplate(workload, 'topologySpreadConstraints'),
    observed: `the topology spread wants the pods ${wanted}, and NodePool ${name} has nodes in ${zones.join(', ')} alone`,
    advice: 'let the NodePool launch in the other zones too, or spread over kubernetes.io/hostname',
  };
}

function apartByZone(
  { workload, pods }: Stuck,
  { metadata: { name } }: NodePool,
  zones: readonly string[],
): Obstacle | undefined {
  const terms =
    workload.spec.template.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  if (!terms.some(({ topologyKey }) => topologyKey === zoneLabel) || pods.length <= zones.length) return undefined;
  return {
    because: inTemplate(workload, 'affinity.podAntiAffinity'),
    observed: `the anti-affinity lets one pod into a zone, there are ${pods.length}, and NodePool ${name} has ${zones.join(', ')}`,
    advice: 'keep the pods apart by kubernetes.io/hostname, or prefer other zones instead of requiring them',
  };
}
