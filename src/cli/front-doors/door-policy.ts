import { type DoorPolicy, policyAnnotation } from '@holdfast/embedded-cluster';
import type { OwnApplication } from '../../validation/manifests/own-applications.ts';
import type { FrontDoorName } from '../manifests/front-door.ts';
import { type Located, type ManifestObject, namespaceOf } from '../manifests/located.ts';

type Way = Pick<OwnApplication, 'ingress' | 'namespace' | 'service'>;

/** What the manifests set of how their own front door passes requests to the application: `{}` where nothing. */
export function policyIn(name: FrontDoorName, way: Way, located: readonly Located[]): DoorPolicy {
  const objects = located.filter(({ standsFor }) => standsFor === undefined).map(({ object }) => object);
  if (name === 'envoy-gateway') return ofEnvoyGateway(way, objects);
  return name === 'traefik' ? ofTraefik(way, objects) : {};
}

/** The Ingress of the application with that policy, in place of any before. */
export const withPolicy = (policy: DoorPolicy, way: Way, located: readonly Located[]): readonly Located[] =>
  Object.keys(policy).length === 0 ? located : located.map((one) => annotated(one, way, policy));

function annotated(one: Located, { ingress, namespace }: Way, policy: DoorPolicy): Located {
  const { kind, metadata } = one.object;
  if (kind !== 'Ingress' || metadata.name !== ingress || namespaceOf(one.object) !== namespace) return one;
  const annotations = { ...metadata.annotations, [policyAnnotation]: JSON.stringify(policy) };
  return { ...one, object: { ...one.object, metadata: { ...metadata, annotations } } };
}

/** Fields of an object whose kind has no schema here: what is not as expected is absent. */
type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const specOf = (object: ManifestObject | undefined): Fields => fieldsOf((object as Fields | undefined)?.spec);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** `1m30s` and `500ms` as the Gateway API and Traefik write them; a number is seconds. */
function secondsOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const parts = typeof value === 'string' ? [...value.matchAll(/([\d.]+)(ms|s|m|h)/g)] : [];
  if (parts.length === 0) return undefined;
  return parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * (unitSeconds[unit] ?? 1), 0);
}

/** Only what is written. */
function written(policy: { readonly [K in keyof DoorPolicy]: DoorPolicy[K] | undefined }): DoorPolicy {
  return Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined));
}

/** A policy of the route wins over one of its Gateway (gateway.envoyproxy.io, "BackendTrafficPolicy"). */
function ofEnvoyGateway({ ingress, namespace }: Way, objects: readonly ManifestObject[]): DoorPolicy {
  const route = objects.find((one) => one.kind === 'HTTPRoute' && isAt(one, ingress, namespace));
  const { parentRefs, rules } = specOf(route);
  const gateways = listOf(parentRefs).map(({ name }) => name);
  const policies = objects.filter(({ kind }) => kind === 'BackendTrafficPolicy');
  const aimsAt = (kind: string, names: readonly unknown[]) => (policy: ManifestObject) => {
    const { targetRef, targetRefs } = specOf(policy);
    return [fieldsOf(targetRef), ...listOf(targetRefs)].some((one) => one.kind === kind && names.includes(one.name));
  };
  const policy = policies.find(aimsAt('HTTPRoute', [ingress])) ?? policies.find(aimsAt('Gateway', gateways));
  return { ...ofRule(listOf(rules)[0] ?? {}), ...ofBackendTrafficPolicy(specOf(policy)) };
}

const ofRule = ({ timeouts, retry }: Fields): DoorPolicy =>
  written({
    requestTimeoutSeconds: secondsOf(fieldsOf(timeouts).request),
    retries: numberOf(fieldsOf(retry).attempts),
  });

/**
 * api/v1alpha1 of Envoy Gateway: `numRetries` is 2, `consecutive5XxErrors` 5 where they are not written; a failure to
 * connect is tried again unless `triggers` has others alone.
 */
function ofBackendTrafficPolicy({ retry, timeout, healthCheck }: Fields): DoorPolicy {
  const { tcp, http } = fieldsOf(timeout);
  const { passive } = fieldsOf(healthCheck);
  const { consecutive5XxErrors = 5, baseEjectionTime, maxEjectionPercent, alwaysEjectOneEndpoint } = fieldsOf(passive);
  const { numRetries = 2, retryOn } = fieldsOf(retry);
  const { triggers = ['connect-failure'] } = fieldsOf(retryOn);
  const triesAgain = retry !== undefined && Array.isArray(triggers) && triggers.includes('connect-failure');
  return written({
    retries: triesAgain ? numberOf(numRetries) : undefined,
    connectTimeoutSeconds: secondsOf(fieldsOf(tcp).connectTimeout),
    requestTimeoutSeconds: secondsOf(fieldsOf(http).requestTimeout),
    consecutiveErrors: passive === undefined ? undefined : numberOf(consecutive5XxErrors),
    ejectionSeconds: secondsOf(baseEjectionTime),
    mostEjectedPercent: alwaysEjectOneEndpoint === true ? 50 : numberOf(maxEjectionPercent),
  });
}

/** doc.traefik.io, "Retry" and "ServersTransport": `attempts` counts the first one. */
function ofTraefik(way: Way, objects: readonly ManifestObject[]): DoorPolicy {
  const names = middlewaresOf(way, objects);
  const retry = objects
    .filter(({ kind, metadata }) => kind === 'Middleware' && names.includes(metadata.name))
    .map((one) => fieldsOf(specOf(one).retry).attempts)
    .find((attempts) => attempts !== undefined);
  const transport = transportOf(way, objects);
  const found = objects.find(({ kind, metadata }) => kind === 'ServersTransport' && metadata.name === transport);
  const attempts = Number(retry ?? 1);
  return written({
    retries: attempts > 1 ? attempts - 1 : undefined,
    connectTimeoutSeconds: secondsOf(fieldsOf(specOf(found).forwardingTimeouts).dialTimeout),
  });
}

/** Of an Ingress by annotation, of an IngressRoute or a route by reference. */
function middlewaresOf({ ingress, namespace }: Way, objects: readonly ManifestObject[]): readonly unknown[] {
  const way = objects.find((one) => one.kind !== 'Service' && isWay(one) && isAt(one, ingress, namespace));
  const text = way?.metadata.annotations?.['traefik.ingress.kubernetes.io/router.middlewares'] ?? '';
  const { routes, rules } = specOf(way);
  const filters = listOf(rules).flatMap(({ filters }) => listOf(filters));
  return [
    ...text.split(',').map((name) => ofProvider(name, namespace)),
    ...listOf(routes).flatMap(({ middlewares }) => listOf(middlewares).map(({ name }) => name)),
    ...filters.map(({ extensionRef }) => fieldsOf(extensionRef).name),
  ];
}

function transportOf({ ingress, namespace, service }: Way, objects: readonly ManifestObject[]): unknown {
  const { metadata } = objects.find((one) => one.kind === 'Service' && isAt(one, service, namespace)) ?? {};
  const named = metadata?.annotations?.['traefik.ingress.kubernetes.io/service.serverstransport'];
  if (named !== undefined) return ofProvider(named, namespace);
  const route = objects.find((one) => one.kind === 'IngressRoute' && isAt(one, ingress, namespace));
  const services = listOf(specOf(route).routes).flatMap(({ services }) => listOf(services));
  return services.map(({ serversTransport }) => serversTransport).find((one) => one !== undefined);
}

/** `shop-retry@kubernetescrd` is the object `retry` of namespace `shop`. */
const ofProvider = (name: string, namespace: string): string =>
  name
    .trim()
    .replace(/@.*$/, '')
    .replace(new RegExp(`^${RegExp.escape(namespace)}-`), '');

const isWay = ({ kind }: ManifestObject): boolean => ['Ingress', 'IngressRoute', 'HTTPRoute'].includes(kind);
const isAt = (object: ManifestObject, name: string | null, namespace: string): boolean =>
  object.metadata.name === name && namespaceOf(object) === namespace;
