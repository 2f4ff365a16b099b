import type { Endpoint, EndpointSlice, Pod, Service } from '../kubernetes/resources.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import { serviceNameLabel, suffix } from '../objects/names.ts';
import { controlledBy } from '../objects/owners.ts';
import { isFinished, isPodReady, isTerminating } from '../objects/pods.ts';
import { labelsMatch } from '../objects/selectors.ts';
import { reconciler } from '../reconciling/reconciler.ts';

/**
 * Service and pods → EndpointSlice (pkg/controller/endpointslice). One slice for each Service: there are few pods here.
 */
export const endpointSlice = reconciler({
  name: 'endpoint-slice',
  watches: { Service: (object) => [keyOf(object)], Pod: keysOfServices },
  reaction: 'endpointSlice',
  reconcile: async (site, key) => {
    const service = site.cache.get('Service', key);
    if (service?.spec.selector === undefined || service.metadata.deletionTimestamp !== undefined) return undefined;
    const { slice, isPartial } = sliceOf(service, site.cache);
    const there = site.cache.get('EndpointSlice', keyOf(slice));
    if (there === undefined) await site.cluster.create(slice);
    else {
      const value = { endpoints: slice.endpoints, ports: slice.ports };
      await site.cluster.patch('EndpointSlice', placeOf(keyOf(slice)), { type: 'merge', value });
    }
    return isPartial ? site.delay('controllerRetry') : undefined;
  },
});

function keysOfServices(pod: Pod, cache: Cache): readonly string[] {
  return [...cache.inNamespace('Service', pod.metadata.namespace)]
    .filter(({ spec }) => labelsMatch(pod.metadata.labels, spec.selector))
    .map(keyOf);
}

/**
 * A pod whose Node does not exist is left out, and the Service is tried again (endpointslice/reconciler.go,
 * FailedToUpdateEndpointSlices).
 */
function sliceOf(service: Service, cache: Cache): { readonly slice: EndpointSlice; readonly isPartial: boolean } {
  const selected = [...cache.inNamespace('Pod', service.metadata.namespace)].filter(
    (pod) =>
      labelsMatch(pod.metadata.labels, service.spec.selector) && pod.status?.podIP !== undefined && !isFinished(pod),
  );
  const pods = selected.filter(({ spec }) => cache.get('Node', spec.nodeName ?? '') !== undefined);
  return { slice: sliceWith(pods, service, cache), isPartial: pods.length < selected.length };
}

function sliceWith(pods: readonly Pod[], service: Service, cache: Cache): EndpointSlice {
  const { name, namespace } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: sliceName(service),
      generateName: `${name}-`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { [serviceNameLabel]: name, 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' },
      ownerReferences: [controlledBy(service)],
    },
    addressType: 'IPv4',
    endpoints: pods.map((pod) => endpointOf(pod, service, cache)),
    ports: (service.spec.ports ?? []).map((port) => ({
      ...(port.name === undefined ? {} : { name: port.name }),
      port: typeof port.targetPort === 'number' ? port.targetPort : (namedPort(pods, port.targetPort) ?? port.port),
      protocol: port.protocol ?? 'TCP',
    })),
  };
}

/**
 * The name of the Service and five characters, which the API server draws; here its uid, which was drawn, gives them.
 */
function sliceName({ metadata: { name, uid = '' } }: Service): string {
  const digits = [...uid.replaceAll('-', '').matchAll(/../g)].map(([pair]) => Number.parseInt(pair, 16) / 256);
  return `${name}-${suffix(() => digits.shift() ?? 0)}`;
}

/**
 * A terminating pod is not `ready`, unless its Service has publishNotReadyAddresses; it is `serving` while its
 * readiness probe succeeds.
 */
function endpointOf(pod: Pod, { spec }: Service, cache: Cache): Endpoint {
  const serving = isPodReady(pod);
  const terminating = isTerminating(pod);
  const { nodeName } = pod.spec;
  const zone = cache.get('Node', nodeName ?? '')?.metadata.labels?.['topology.kubernetes.io/zone'];
  return {
    addresses: [pod.status?.podIP ?? ''],
    conditions: { ready: spec.publishNotReadyAddresses === true || (serving && !terminating), serving, terminating },
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(zone === undefined ? {} : { zone }),
    targetRef: {
      kind: 'Pod',
      namespace: pod.metadata.namespace ?? '',
      name: pod.metadata.name,
      uid: pod.metadata.uid ?? '',
    },
  };
}

function namedPort(pods: readonly Pod[], name: string | undefined): number | undefined {
  const ports = pods.flatMap(({ spec }) => spec.containers).flatMap((container) => container.ports ?? []);
  return ports.find((port) => name !== undefined && port.name === name)?.containerPort;
}
