/**
 * What is kept of a value: `scalar` a text, number or truth value, or a list of them; `map` the scalars of an object by
 * whatever name; a record the named members, of each item where the value is a list; a function what it returns.
 * Everything else is dropped.
 */
export type Fields = 'scalar' | 'map' | Keep | { readonly [name: string]: Fields };
type Keep = (value: unknown) => unknown;

/** The value less what is not on the list; undefined if nothing of it is. */
export function kept(fields: Fields, value: unknown): unknown {
  if (typeof fields === 'function') return fields(value);
  if (Array.isArray(value)) return keptItems(fields, value);
  if (fields === 'scalar') return isScalar(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (fields === 'map') return Object.fromEntries(Object.entries(value).filter(([, member]) => isScalar(member)));
  return keptMembers(fields, value);
}

/** A list within a list is on no list of fields. */
function keptItems(fields: Fields, value: readonly unknown[]): unknown {
  const items = value.map((item) => (Array.isArray(item) ? undefined : kept(fields, item)));
  return fields === 'map' || items.includes(undefined) ? undefined : items;
}

function keptMembers(fields: { readonly [name: string]: Fields }, value: object): object {
  const members = Object.entries(fields).flatMap(([name, inner]) => {
    const own = Object.hasOwn(value, name) ? kept(inner, Reflect.get(value, name)) : undefined;
    return own === undefined ? [] : [[name, own] as const];
  });
  return Object.fromEntries(members);
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Every scalar by its name. */
export const scalars = <N extends string>(...names: readonly N[]): Readonly<Record<N, 'scalar'>> =>
  Object.fromEntries(names.map((name) => [name, 'scalar'])) as Record<N, 'scalar'>;

export const labelSelector = {
  matchLabels: 'map',
  matchExpressions: scalars('key', 'operator', 'values'),
} as const satisfies Fields;

/** The annotations that change what a controller does; the values of all others are nobody's business. */
const annotations = scalars(
  'batch.kubernetes.io/job-completion-index',
  'cluster-autoscaler.kubernetes.io/safe-to-evict',
  'controller.kubernetes.io/pod-deletion-cost',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deployment.kubernetes.io/revision',
  'external-dns.alpha.kubernetes.io/hostname',
  'external-dns.alpha.kubernetes.io/ttl',
  'karpenter.k8s.aws/ec2nodeclass-hash',
  'karpenter.k8s.aws/ec2nodeclass-hash-version',
  'karpenter.sh/do-not-disrupt',
  'karpenter.sh/nodepool-hash',
  'karpenter.sh/nodepool-hash-version',
  'kubernetes.io/config.mirror',
  'kubernetes.io/ingress.class',
  'pv.kubernetes.io/bind-completed',
  'pv.kubernetes.io/bound-by-controller',
  'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type',
  'service.beta.kubernetes.io/aws-load-balancer-type',
  'storageclass.kubernetes.io/is-default-class',
  'volume.kubernetes.io/selected-node',
);

const owners = scalars('apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion');

export const metadata = {
  ...scalars('name', 'generateName', 'namespace', 'uid', 'generation', 'creationTimestamp', 'deletionTimestamp'),
  ...scalars('deletionGracePeriodSeconds', 'finalizers'),
  labels: 'map',
  annotations,
  ownerReferences: owners,
} as const satisfies Fields;

/** A message may repeat anything, as an exit's last words do. */
export const conditions = scalars('type', 'status', 'reason', 'lastTransitionTime', 'observedGeneration');

/** The metadata of a template. */
export const templateMetadata = { labels: 'map', annotations } as const satisfies Fields;
