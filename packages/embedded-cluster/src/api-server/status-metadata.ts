import type { Json } from '../objects/json.ts';
import type { Served } from './served.ts';

/**
 * What a write of the status leaves as it is of the metadata, where it may change the rest (registry strategies,
 * statusStrategy).
 */
const keptByStatus: Readonly<Record<string, readonly string[] | undefined>> = {
  Deployment: ['labels'],
  Pod: ['ownerReferences'],
};

/** Their status alone is written (apimachinery, meta/v1, ResetObjectMetaForStatus). */
const closed = new Set([
  'APIService.apiregistration.k8s.io',
  'CustomResourceDefinition.apiextensions.k8s.io',
  'FlowSchema.flowcontrol.apiserver.k8s.io',
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io',
  'VolumeAttachment',
]);

/** Whether a write of the status may change labels, annotations, finalizers and owners too. */
export function writesMetadata({ custom, collection }: Pick<Served, 'custom' | 'collection'>): boolean {
  return !custom && !closed.has(collection);
}

/** The metadata that was sent with a status, without what such a write may not change. */
export function metadataOfStatus({ collection }: Pick<Served, 'collection'>, sent: Json, current: Json): Json {
  const kept = keptByStatus[collection] ?? [];
  const old = Object.fromEntries(kept.filter((key) => current[key] !== undefined).map((key) => [key, current[key]]));
  const rest = Object.fromEntries(Object.entries(sent).filter(([key]) => !kept.includes(key)));
  return { ...rest, ...old };
}

/** The part of it that the writer of a status may own. */
export function ownedByStatus({ collection }: Pick<Served, 'collection'>, metadata: Json): Json {
  return metadataOfStatus({ collection }, metadata, {});
}
