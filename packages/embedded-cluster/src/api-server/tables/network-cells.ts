import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { ageAt } from './durations.ts';
import { labelsText, listAt, selectorText, shortened, textAt, textsAt } from './values.ts';

type Cells = (object: StoredObject, nowAt: number) => readonly unknown[];

const age = ({ metadata }: StoredObject, nowAt: number): string => ageAt(metadata.creationTimestamp, nowAt);

/**
 * The cells after the name of what connects pods, by collection (kubernetes, pkg/printers/internalversion/printers.go).
 */
export const networkCells: Readonly<Record<string, Cells>> = {
  Service: (object, nowAt) => [
    textAt(object, 'spec.type', ''),
    textAt(object, 'spec.clusterIP'),
    externalAddress(object),
    listAt(object, 'spec.ports')
      .map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`)
      .join(',') || '<none>',
    age(object, nowAt),
    labelsText(object.spec?.selector),
  ],
  Ingress: (object, nowAt) => [
    textAt(object, 'spec.ingressClassName'),
    hosts(object),
    loadBalancerOf(object).split(',').toSorted().join(','),
    listAt(object, 'spec.tls').length > 0 ? '80, 443' : '80',
    age(object, nowAt),
  ],
  'IngressClass.networking.k8s.io': (object, nowAt) => [
    textAt(object, 'spec.controller', ''),
    parameters(object.spec?.parameters),
    age(object, nowAt),
  ],
  'Endpoints.': (object, nowAt) => [endpoints(object), age(object, nowAt)],
  EndpointSlice: (object, nowAt) => [
    textAt(object, 'addressType', ''),
    shortened(listAt(object, 'ports').map(({ name, port }) => port ?? (name || '*'))) || '<unset>',
    shortened(listAt(object, 'endpoints').flatMap((endpoint) => textsAt(endpoint, 'addresses'))) || '<unset>',
    age(object, nowAt),
  ],
  'NetworkPolicy.networking.k8s.io': (object, nowAt) => [selectorText(object.spec?.podSelector), age(object, nowAt)],
};

function loadBalancerOf(object: StoredObject): string {
  return listAt(object, 'status.loadBalancer.ingress')
    .map(({ hostname, ip }) => ip || hostname)
    .join(',');
}

function externalAddress(object: StoredObject): string {
  const { type } = object.spec ?? {};
  if (type === 'ExternalName') return textAt(object, 'spec.externalName', '');
  const own = textsAt(object, 'spec.externalIPs');
  if (type !== 'LoadBalancer') return own.join(',') || '<none>';
  return [loadBalancerOf(object), ...own].filter(Boolean).join(',') || '<pending>';
}

function hosts(object: StoredObject): string {
  const rules = listAt(object, 'spec.rules');
  const named = rules.flatMap(({ host }) => (typeof host === 'string' && host !== '' ? [host] : []));
  return shortened(named) || '*';
}

function parameters(reference: unknown): string {
  if (!isJson(reference)) return '<none>';
  const { apiGroup = '', kind, name } = reference;
  return `${kind}${apiGroup === '' ? '' : `.${apiGroup}`}/${name}`;
}

function endpoints(object: StoredObject): string {
  const all = listAt(object, 'subsets').flatMap((subset) => {
    const addresses = listAt(subset, 'addresses');
    const ports = listAt(subset, 'ports');
    if (ports.length === 0) return addresses.map(({ ip }) => ip);
    return ports.flatMap(({ port }: Json) => addresses.map(({ ip }) => `${ip}:${port}`));
  });
  return shortened(all) || '<none>';
}
