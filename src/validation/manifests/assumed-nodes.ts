import type { NodePool } from '../../cluster/autoscaler.ts';
import type { Deployment } from '../../cluster/resources.ts';
import type { PodSpec } from '../../cluster/specs.ts';
import type { OwnApplication } from './own-applications.ts';

/** As many as the replicas that most scenarios begin with. */
export const assumedPoolNodes = 2;
const name = 'other-workload';

/**
 * No pod of a DaemonSet waits for a node, so that Karpenter launches none for it: its nodes are there because of other
 * workloads. One of them, with a pod on each of two nodes of the pool, stands for those.
 */
export function assumedNodes({ kind, workload }: OwnApplication, pool: NodePool): readonly Deployment[] {
  if (kind !== 'DaemonSet') return [];
  const labels = { 'app.kubernetes.io/name': name };
  const template = { metadata: { labels }, spec: besideDaemons(workload.spec.template.spec, labels, pool) };
  const spec = { replicas: assumedPoolNodes, selector: { matchLabels: labels }, template };
  return [{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'default' }, spec }];
}

/** A pod a node, on nodes where the daemons run too. */
function besideDaemons(
  { nodeSelector, affinity: { nodeAffinity } = {}, tolerations }: PodSpec,
  labels: Readonly<Record<string, string>>,
  pool: NodePool,
): PodSpec {
  const apart = { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' };
  const requests = { cpu: '100m', memory: '64Mi' };
  return {
    nodeSelector: { ...nodeSelector, 'karpenter.sh/nodepool': pool.metadata.name },
    affinity: {
      ...(nodeAffinity && { nodeAffinity }),
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] },
    },
    ...(tolerations && { tolerations }),
    containers: [{ name: 'pause', image: 'registry.k8s.io/pause:3.10', resources: { requests } }],
  };
}

/** What is said of them. */
export const nodesAreAssumed = ({ kind, name: daemons }: Pick<OwnApplication, 'kind' | 'name'>): readonly string[] =>
  kind === 'DaemonSet'
    ? [
        `DaemonSet ${daemons} makes no nodes: another workload with a pod on each of ${assumedPoolNodes} nodes of the pool is assumed.`,
      ]
    : [];
