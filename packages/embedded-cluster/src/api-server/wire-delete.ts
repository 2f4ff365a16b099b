import { isJson, type Json } from '../objects/json.ts';
import { type Api, authorize } from './api.ts';
import { deleteOptions } from './decoding/delete-options.ts';
import type { Deletion } from './delete.ts';
import { requireDeleteOptions } from './options.ts';
import { listObjects, selection, selectorsOf } from './read.ts';
import { refusals } from './refusals.ts';
import { success } from './responses.ts';
import { verbs } from './verbs.ts';
import { listResponse, type VerbResponse } from './wire-list.ts';
import type { WireRequest } from './wire-request.ts';

/** Kinds whose deletion is answered with the object (apiserver, ReturnDeletedObject); for others with a Status. */
const returnsDeletedObject = new Set([
  'CSIDriver',
  'CSINode',
  'CustomResourceDefinition',
  'Namespace',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Pod',
  'PodTemplate',
  'ResourceQuota',
  'Service',
  'ServiceAccount',
  'StorageClass',
  'VolumeAttachment',
]);

const systemClasses = ['system-node-critical', 'system-cluster-critical'];

/** Answers with the object, or for most kinds with a Status when it is gone. */
export function deleteOne(api: Api, request: WireRequest): VerbResponse {
  const options = deleteOptions(request);
  requireDeleteOptions(request, options);
  const { served, name } = request;
  if (served.kind === 'PriorityClass' && systemClasses.includes(String(name)))
    throw refusals.forbidden(request, 'this is a system priority class and cannot be deleted');
  const deleteRequest = { ...request, dryRun: isDryDelete(request, options) };
  const deletion = deletionOf(options, request.query);
  noteOrphans(request, deletion);
  const deleted = verbs.delete(api, deleteRequest, deletion);
  if (!deleted.gone || returnsDeletedObject.has(served.kind)) return { code: 200, json: () => deleted.object };
  const { uid } = deleted.object.metadata;
  const details = {
    ...(name !== undefined && { name }),
    ...(served.group !== '' && { group: served.group }),
    kind: served.plural,
    ...(uid !== undefined && { uid }),
  };
  return { code: 200, json: () => success(details) };
}

/** Deletes each selected object as if alone; the response lists them as they were. */
export function deleteCollection(api: Api, request: WireRequest): VerbResponse {
  authorize(api, request);
  const options = deleteOptions(request);
  requireDeleteOptions(request, options);
  const deletion = deletionOf(options, request.query);
  noteOrphans(request, deletion);
  const dryRun = isDryDelete(request, options);
  const selected = listObjects(api, request, selection(request, selectorsOf(request.query)));
  for (const { metadata } of selected) {
    const { name, namespace } = metadata;
    verbs.delete(api, { ...request, verb: 'delete', name, namespace, dryRun }, deletion);
  }
  return listResponse(request, selected, { resourceVersion: String(api.objects.revision()) });
}

/** The DeleteOptions of the body, completed by the query. */
export function deletionOf(options: Json, query: URLSearchParams): Deletion {
  const grace = options.gracePeriodSeconds ?? query.get('gracePeriodSeconds') ?? undefined;
  const older =
    typeof options.orphanDependents === 'boolean' ? (options.orphanDependents ? 'Orphan' : 'Background') : undefined;
  const policy = options.propagationPolicy ?? query.get('propagationPolicy') ?? older;
  return {
    ...(grace !== undefined && { gracePeriodSeconds: Number(grace) }),
    ...(policy !== undefined && { propagationPolicy: policy as Deletion['propagationPolicy'] }),
    ...(isJson(options.preconditions) && { preconditions: options.preconditions as Deletion['preconditions'] }),
  };
}

/** The options of the query count only without a body (apiserver, endpoints/handlers/delete.go). */
function isDryDelete({ body = '', dryRun }: WireRequest, options: Json): boolean {
  return body === '' ? dryRun : isDryRun(options);
}

const jobsWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/** Only Jobs are warned of (kubernetes, pkg/registry/batch/job/strategy.go). */
function noteOrphans({ served, warnings }: WireRequest, { propagationPolicy }: Deletion): void {
  if (served.kind === 'Job' && propagationPolicy === undefined) warnings.push(jobsWarning);
}

export function isDryRun(options: Json): boolean {
  return Array.isArray(options.dryRun) && options.dryRun.includes('All');
}
