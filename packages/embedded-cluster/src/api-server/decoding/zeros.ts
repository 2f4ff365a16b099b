import { isJson, type Json } from '../../objects/json.ts';
import { definitionOf, type Schema } from './definitions.ts';

/**
 * The value with what Go's JSON always writes of the type of that name: a struct that is no pointer, a time that is
 * none as null, and the empty text, 0 or false of a required field. The same value if nothing is missing.
 */
export function withZeros<T>(value: T, definition: string): T {
  return filled(value, { $ref: definition }) as T;
}

function filled(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) return filledList(value, schema.items ?? {});
  if (!isJson(value)) return value;
  const { properties } = schema.$ref === undefined ? schema : definitionOf(schema.$ref);
  return properties === undefined ? value : filledStruct(value, schema.$ref ?? '', properties);
}

function filledList(list: readonly unknown[], items: Schema): readonly unknown[] {
  const next = list.map((item) => filled(item, items));
  return next.every((item, index) => item === list[index]) ? list : next;
}

function filledStruct(value: Json, name: string, properties: Readonly<Record<string, Schema>>): Json {
  const changed: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(properties)) {
    const sent = value[key];
    const member = sent === undefined ? zeroOf(name, key, schema) : filled(sent, schema);
    if (member !== sent) changed[key] = member;
  }
  return Object.keys(changed).length === 0 ? value : { ...value, ...changed };
}

function zeroOf(name: string, key: string, schema: Schema): unknown {
  if (isJson(schema.zero)) return isLeftOut(name, key) ? undefined : filled(schema.zero, schema);
  if (isWrittenAsNull(name, key, schema)) return null;
  if (schema.$ref !== undefined) return undefined;
  const isScalar = schema.zero !== undefined && !Array.isArray(schema.zero);
  return isScalar && definitionOf(name).required?.includes(key) ? schema.zero : undefined;
}

const apimachinery = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const times = new Set([`${apimachinery}Time`, `${apimachinery}MicroTime`]);

/** Metadata has rules of its own. */
const isLeftOut = (name: string, key: string): boolean => name.startsWith(apimachinery) || key === 'metadata';

/** Times that are no pointers: all but those of metadata, leases, and taints, and a few that came later. */
function isWritten(name: string, key: string): boolean {
  const type = name.split('.').at(-1) ?? '';
  return writtenTimes[type]?.includes(key) === true;
}

/** A time that is no pointer, and a list. */
function isWrittenAsNull(name: string, key: string, { $ref, type }: Schema): boolean {
  if ($ref !== undefined) return times.has($ref) && isWritten(name, key);
  return type === 'array' && isWrittenList(name, key);
}

const isWrittenList = (name: string, key: string): boolean => writtenLists[name.split('.').at(-1) ?? ''] === key;

/** Lists that are written where they are none, of objects that may be without them. */
const writtenLists: Readonly<Record<string, string | undefined>> = {
  CSINodeDriver: 'topologyKeys',
  CSINodeSpec: 'drivers',
  EndpointSlice: 'ports',
  LimitRangeSpec: 'limits',
  PodFailurePolicy: 'rules',
  SuccessPolicy: 'rules',
};

const writtenTimes: Readonly<Record<string, readonly string[] | undefined>> = {
  ContainerStateRunning: ['startedAt'],
  ContainerStateTerminated: ['startedAt', 'finishedAt'],
  CronJobCondition: ['lastProbeTime', 'lastTransitionTime'],
  DaemonSetCondition: ['lastTransitionTime'],
  DeploymentCondition: ['lastTransitionTime', 'lastUpdateTime'],
  Event: ['deprecatedFirstTimestamp', 'deprecatedLastTimestamp', 'firstTimestamp', 'lastTimestamp'],
  EventSeries: ['lastObservedTime'],
  HorizontalPodAutoscalerCondition: ['lastTransitionTime'],
  JobCondition: ['lastProbeTime', 'lastTransitionTime'],
  NamespaceCondition: ['lastTransitionTime'],
  NodeCondition: ['lastHeartbeatTime', 'lastTransitionTime'],
  PersistentVolumeClaimCondition: ['lastProbeTime', 'lastTransitionTime'],
  PodCondition: ['lastProbeTime', 'lastTransitionTime'],
  ReplicaSetCondition: ['lastTransitionTime'],
  ReplicationControllerCondition: ['lastTransitionTime'],
  StatefulSetCondition: ['lastTransitionTime'],
};
