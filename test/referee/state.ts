/**
 * What a cluster and its cloud hold, in a form in which two moments can be compared: a name for each thing, and its
 * text.
 */
export type State = readonly Thing[];
export interface Thing {
  readonly name: string;
  readonly text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: objects of every kind are compared.
type Json = any;

/** Fields that change by themselves, or that only say when and by whom something was written. */
const volatile = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'generation',
  'observedGeneration',
  'lastTransitionTime',
  'lastHeartbeatTime',
  'lastUpdateTime',
  'lastProbeTime',
  'lastPodEventTime',
  'renewTime',
  'acquireTime',
  'leaseTransitions',
  'holderIdentity',
  'startedAt',
  'startTime',
  'finishedAt',
  'containerID',
  'images',
  'nodeInfo',
  'addresses',
  'podIP',
  'podIPs',
  'podCIDR',
  'hostIP',
  'hostIPs',
  'nodeName',
  'targetRef',
  'zone',
  'restartCount',
  'lastState',
  'providerID',
  'capacity',
  'allocatable',
  'imageID',
  'volumes',
  'volumeMounts',
]);

/** Kinds that are a log, a measurement or a copy of others. */
const passing = new Set(['Event', 'Endpoints', 'PodMetrics', 'NodeMetrics', 'ComponentStatus', 'CSINode']);

/** Parts of a label's or annotation's key that say on which machine an object came to be. */
const ofMachine =
  /hostname|instance-|topology\.|zone|providerID|last-applied|last-change-trigger-time|leader|karpenter\.k8s\.aws\/|nodeclaim-min|tagged|cluster-name/;

export function thingOf(object: Json): Thing | undefined {
  if (passing.has(object.kind)) return undefined;
  const { metadata, kind } = object;
  if (kind === 'Lease' && metadata.namespace === 'kube-node-lease') return undefined;
  return { name: `${kind} ${placeOf(object)}`, text: JSON.stringify(stripped(object)) };
}

/** Namespace and name; a name that is made by chance is replaced by what it is made of. */
function placeOf({ kind, metadata }: Json): string {
  const place = metadata.namespace === undefined ? '' : `${metadata.namespace}/`;
  if (kind === 'Node') return `of the pool ${metadata.labels?.['karpenter.sh/nodepool'] ?? 'none'}`;
  if (metadata.generateName !== undefined) return `${place}${metadata.generateName}*`;
  return `${place}${metadata.name}`;
}

/** Lists whose order says nothing: EC2 and Karpenter answer in any. */
const unordered = new Set(['conditions', 'endpoints', 'subnets', 'securityGroups', 'amis']);

function stripped(value: Json, key = ''): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => stripped(item, key));
    return items.every((item) => typeof item !== 'object' || unordered.has(key))
      ? items.sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b)))
      : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !(volatile.has(name) || isOfMachine(key, name)));
  const kept = entries.flatMap(([name, member]) =>
    isGeneratedName(value, name) || isEmptyMap(name, member) ? [] : [[name, stripped(member, name)]],
  );
  return Object.fromEntries(kept.sort(([a], [b]) => compareText(String(a), String(b))));
}

/** A controller that writes an object anew leaves such a map out. */
const isEmptyMap = (name: string, member: Json): boolean =>
  (name === 'labels' || name === 'annotations') && Object.keys(stripped(member, name) ?? {}).length === 0;

const isOfMachine = (key: string, name: string): boolean =>
  (key === 'labels' || key === 'annotations') && ofMachine.test(name);

/** The name of an object that has `generateName`, and of a Node. */
const isGeneratedName = (object: Json, name: string): boolean =>
  name === 'name' && (object.generateName !== undefined || object.labels?.['kubernetes.io/hostname'] !== undefined);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * One line for each thing that is in only one of the two, or other in both. Things of one name are compared as a set.
 */
export function differences(before: State, after: State): readonly string[] {
  const names = [...new Set([...before, ...after].map(({ name }) => name))].sort(compareText);
  return names.flatMap((name) => difference(name, textsOf(before, name), textsOf(after, name)) ?? []);
}

function difference(name: string, then: readonly string[], now: readonly string[]): string | undefined {
  const [gone, come] = [without(then, now), without(now, then)];
  if (gone.length === 0 && come.length === 0) return undefined;
  if (then.length !== now.length) return `${name}: there were ${then.length}, there are ${now.length}`;
  const fields = otherFields(JSON.parse(gone[0] ?? '{}'), JSON.parse(come[0] ?? '{}'));
  return `${name}: ${fields.slice(0, 6).join('; ')}`;
}

const textsOf = (state: State, name: string): string[] =>
  state.filter((one) => one.name === name).map(({ text }) => text);

function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return texts.filter((text) => {
    const index = left.indexOf(text);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

function otherFields(a: Json, b: Json, path = ''): readonly string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return [`${path}: ${JSON.stringify(a)} → ${JSON.stringify(b)}`];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.flatMap((key) => otherFields(a[key], b[key], path === '' ? key : `${path}.${key}`));
}
