import type { NodePool } from '../../cluster/autoscaler.ts';
import type { PodSpec, Requirement } from '../../cluster/specs.ts';
import type { Settings } from '../settings.ts';
import { nodePool, nodeRequirements } from './manifests.ts';
import type { OwnApplication } from './own-applications.ts';

/**
 * What the settings are unless `holdfast.yaml` says otherwise: the names of the application, its address, and the pool
 * of its nodes.
 */
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
    dns: { zone: zoneOf(application.host) },
    ...nodePoolOf(pool, workload.spec.template.spec),
  };
}

/**
 * The pool of the manifests whose nodes take the application's pods, as far as their labels say; the first where none
 * does.
 */
export function poolOf({ workload }: OwnApplication, pools: readonly NodePool[]): NodePool | undefined {
  const asked = requirementsOf(workload.spec.template.spec);
  return pools.find((pool) => asked.every((one) => isFulfilledBy(pool, one))) ?? pools[0];
}

function isFulfilledBy({ metadata, spec: { template } }: NodePool, { key, values = [] }: Requirement): boolean {
  if (key === 'karpenter.sh/nodepool') return values.includes(metadata.name);
  const label = template.metadata?.labels?.[key];
  if (label !== undefined) return values.includes(label);
  const own = template.spec.requirements.find((one) => one.key === key && one.operator === 'In');
  return own === undefined ? isWellKnown(key) : values.some((value) => own.values?.includes(value));
}

/** The zone that a name is most often in: its parent; of a name directly under a top-level domain the name itself. */
export const zoneOf = (host: string): string => (host.split('.').length > 2 ? host.slice(host.indexOf('.') + 1) : host);

/** That of the manifests; else the specification's for nodes that the pods ask for. */
function nodePoolOf(pool: NodePool | undefined, pods: PodSpec): Record<string, unknown> {
  if (pool !== undefined) {
    const { nodeClassRef, requirements } = pool.spec.template.spec;
    // `minValues` keeps a choice of types open, and says nothing of a node.
    const plain = requirements.map(({ key, operator, values }) => ({ key, operator, ...(values && { values }) }));
    return { nodePool: { name: pool.metadata.name, nodeClass: nodeClassRef, requirements: plain } };
  }
  const requirements = requirementsFor(nodeRequirements, pods);
  return requirements === nodeRequirements ? {} : { nodePool: { requirements } };
}

/**
 * The labels of its pods that its selector asks for; all labels of its pods where it only asks for what they must not
 * have.
 */
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
 * The specification's pool (2.1 and 2.2), changed so that nodes of it are what these pods ask for: a requirement of
 * theirs replaces the pool's of the same key, and a label that is no well-known one is put on the nodes.
 */
export function assumedPool(settings: Pick<Settings, 'nodePool'>, pods: PodSpec): NodePool {
  const pool = nodePool(settings);
  const { template } = pool.spec;
  const own = requirementsOf(pods).filter(({ key }) => !isWellKnown(key));
  const labels = Object.fromEntries(
    own.flatMap(({ key, values: [value] = [] }) => (value === undefined ? [] : [[key, value]])),
  );
  const requirements = requirementsFor(template.spec.requirements, pods);
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

/** These requirements; what the pods ask of a well-known label replaces the requirement of the same key. */
function requirementsFor(requirements: readonly Requirement[], pods: PodSpec): readonly Requirement[] {
  const known = requirementsOf(pods)
    .map((one) => ({ ...one, key: presentName(one.key) }))
    .filter(({ key, values = [] }) => isWellKnown(key) && values.length > 0 && key !== hostname);
  const keys = known.map(({ key }) => key);
  if (keys.length === 0) return requirements;
  return [...requirements.filter(({ key }) => !keys.includes(key) && !isNarrower(key, keys)), ...known];
}

/** Of a label under its former name (kubernetes.io, "Well-Known Labels, Annotations and Taints"). */
const presentName = (key: string): string =>
  key
    .replace(/^beta\.kubernetes\.io\/(arch|os)$/, 'kubernetes.io/$1')
    .replace(/^beta\.(kubernetes\.io\/instance-type)$/, 'node.$1')
    .replace(/^failure-domain\.beta\.(kubernetes\.io\/(?:zone|region))$/, 'topology.$1');

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
