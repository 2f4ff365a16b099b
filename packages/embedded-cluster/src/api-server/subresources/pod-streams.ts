import type { StoredObject } from '../../objects/objects.ts';
import type { Api } from '../api.ts';
import { getObject } from '../read.ts';
import { type FieldCause, fieldCauses, refusals } from '../refusals.ts';
import { itemsOf } from '../validation/pods/containers.ts';
import type { VerbResponse } from '../wire-list.ts';
import type { Wire, WireRequest } from '../wire-request.ts';

/**
 * The subresources that reach into a running container, up to the point where a kubelet would be asked: here that is a
 * 501. A pod without a node has no log (kubernetes, pkg/registry/core/pod/strategy.go, LogLocation and streamLocation).
 */
export function stream({ api }: Wire, request: WireRequest): VerbResponse {
  const { subresource, served } = request;
  if (served.kind === 'Pod') return ofPod(api, request);
  getObject(api, { ...request, subresource: undefined });
  throw unknown(request, `${served.plural}/${subresource}`);
}

function ofPod(api: Api, request: WireRequest): VerbResponse {
  const { subresource } = request;
  if (subresource === 'log') requireLogOptions(request);
  const pod = getObject(api, { ...request, subresource: undefined });
  requireContainer(request, pod);
  const { nodeName } = pod.spec ?? {};
  if (nodeName === undefined) {
    if (subresource === 'log') return { code: 204, json: () => ({}), text: () => '' };
    throw refusals.badRequest(request, `pod ${request.name} does not have a host assigned`);
  }
  const node = api.objects.get('Node', undefined, String(nodeName));
  if (node === undefined) throw refusals.notFound({ ...request, name: String(nodeName) });
  throw unknown(request, `pods/${subresource}`);
}

const unknown = (request: WireRequest, what: string): Error =>
  refusals.failure(request, 501, `the embedded cluster has no ${what}`);

function requireLogOptions(request: WireRequest): void {
  const { query, name } = request;
  const number = (key: string, least: number, why: string): readonly FieldCause[] => {
    const value = query.get(key);
    return value === null || Number(value) >= least ? [] : [fieldCauses.invalid(key, Number(value), why)];
  };
  const causes = [
    ...number('tailLines', 0, 'must be greater than or equal to 0'),
    ...number('limitBytes', 1, 'must be greater than 0'),
    ...number('sinceSeconds', 1, 'must be greater than 0'),
  ];
  const at = { ...request, name, served: { ...request.served, kind: 'PodLogOptions' } };
  if (causes.length > 0) throw refusals.invalid(at, causes);
}

function requireContainer(request: WireRequest, { spec, metadata: { name } }: StoredObject): void {
  if (request.subresource === 'portforward' || request.subresource === 'proxy') return;
  const names = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((key) =>
    itemsOf(spec?.[key]).map((container) => String(container.name)),
  );
  const wanted = request.query.get('container');
  if (wanted !== null && wanted !== '' && !names.includes(wanted))
    throw refusals.badRequest(request, `container ${wanted} is not valid for pod ${name}`);
}
