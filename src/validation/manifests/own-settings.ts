import type { NodePool } from '../../cluster/autoscaler.ts';
import type { PodSpec, Requirement } from '../../cluster/specs.ts';
import type { Settings } from '../settings.ts';
import { nodePool } from './manifests.ts';
import type { OwnApplication } from './own-applications.ts';

/** What the settings are unless `holdfast.yaml` says otherwise: the names of the application, its address, and the pool of its nodes. */
export function ownSettings(application: OwnApplication, pool: NodePool | undefined): Record<string, unknown> {
  const { kind, namespace, name, workload, service, ingress, disruptionBudget = null } = application;
  return {
    url: urlOf(application),
    namespace,
    application: name,
    applicationKind: kind,
    applicationSelector: labelsSelected(workload)
      .map((pair) => pair.join('='))
      .join(','),
    service,
    ingress,
    disruptionBudget,
    manifests: 'none',
    // What the page says is not in the manifests.
    monitor: { body: null },
    ...(pool && { nodePool: { name: pool.metadata.name, nodeClass: pool.spec.template.spec.nodeClassRef } }),
  };
}

/** The labels of its pods that its selector asks for; all labels of its pods where it only asks for what they must not have. */
function labelsSelected({
  spec: { selector, template },
}: OwnApplication['workload']): readonly (readonly [string, string])[] {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const asked = new Set([...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)]);
  const all = Object.entries(template.metadata?.labels ?? {});
  const named = all.filter(([key]) => asked.has(key));
  return named.length > 0 ? named : all;
}

export const urlOf = ({ host, path, isTls, port }: Pick<OwnApplication, 'host' | 'path' | 'isTls' | 'port'>): string =>
  `${isTls ? 'https' : 'http'}://${host}${port === undefined ? '' : `:${port}`}${path}`;

/**
 * The specification's pool (2.1 and 2.2), changed so that nodes of it are what these pods ask for: a requirement of theirs replaces the
 * pool's of the same key, and a label that is no well-known one is put on the nodes.
 */
export function assumedPool(settings: Pick<Settings, 'nodePool'>, pods: PodSpec): NodePool {
  const pool = nodePool(settings);
  const { template } = pool.spec;
  const asked = requirementsOf(pods);
  const own = asked.filter(({ key }) => !isWellKnown(key));
  const known = asked.filter(({ key, values = [] }) => isWellKnown(key) && values.length > 0 && key !== hostname);
  const keys = known.map(({ key }) => key);
  const labels = Object.fromEntries(
    own.flatMap(({ key, values: [value] = [] }) => (value === undefined ? [] : [[key, value]])),
  );
  const requirements = [
    ...template.spec.requirements.filter(({ key }) => !keys.includes(key) && !isNarrower(key, keys)),
    ...known,
  ];
  return {
    ...pool,
    spec: {
      ...pool.spec,
      template: {
        metadata: { labels: { ...template.metadata?.labels, ...labels } },
        spec: { ...template.spec, requirements },
      },
    },
  };
}

const hostname = 'kubernetes.io/hostname';
const instanceType = 'node.kubernetes.io/instance-type';
/** An instance type has its category and its generation. */
const isNarrower = (key: string, asked: readonly string[]): boolean =>
  asked.includes(instanceType) && key.startsWith('karpenter.k8s.aws/instance-');

/** Kubernetes' own labels of a node, and Karpenter's: nobody else may set them. */
const isWellKnown = (key: string): boolean =>
  /(^|\.)(kubernetes\.io|k8s\.io|karpenter\.sh|karpenter\.k8s\.aws)\//.test(key);

function requirementsOf({ nodeSelector = {}, affinity }: PodSpec): readonly Requirement[] {
  const selected = Object.entries(nodeSelector).map(([key, value]) => ({
    key,
    operator: 'In' as const,
    values: [value],
  }));
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms[0];
  return [...selected, ...(required?.matchExpressions ?? []).filter(({ operator }) => operator === 'In')];
}
