import type { OwnApplication } from '../../validation/manifests/own-applications.ts';
import { isOfGateway } from './http-routes.ts';
import { type Located, namespaceOf } from './located.ts';

/** What leads visitors in, as far as a rehearsal has a model of it (docs/front-doors.md). */
export const frontDoorNames = ['ingress-nginx', 'envoy-gateway', 'traefik', 'alb', 'nlb'] as const;
export type FrontDoorName = (typeof frontDoorNames)[number];

/** What leads visitors to an application. */
export interface FrontDoor {
  /** Undefined where a rehearsal has no model of it. */
  readonly name: FrontDoorName | undefined;
  /** As its users call it. */
  readonly called: string;
}

const ingressNginx: FrontDoor = { name: 'ingress-nginx', called: 'ingress-nginx' };
const envoyGateway: FrontDoor = { name: 'envoy-gateway', called: 'Envoy Gateway' };
const traefik: FrontDoor = { name: 'traefik', called: 'Traefik' };
const alb: FrontDoor = { name: 'alb', called: 'an Application Load Balancer' };
const unmodelled = (called: string): FrontDoor => ({ name: undefined, called });

/** By `spec.controller` of an IngressClass and `spec.controllerName` of a GatewayClass, as their projects name them. */
const byController: Readonly<Record<string, FrontDoor>> = {
  'k8s.io/ingress-nginx': ingressNginx,
  'traefik.io/ingress-controller': traefik,
  'traefik.io/gateway-controller': traefik,
  'gateway.envoyproxy.io/gatewayclass-controller': envoyGateway,
  'ingress.k8s.aws/alb': alb,
  'eks.amazonaws.com/alb': alb,
  'gateway.k8s.aws/alb': alb,
  'istio.io/ingress-controller': unmodelled('Istio'),
  'istio.io/gateway-controller': unmodelled('Istio'),
  'nginx.org/ingress-controller': unmodelled('NGINX Ingress Controller of NGINX Inc.'),
  'gateway.nginx.org/nginx-gateway-controller': unmodelled('NGINX Gateway Fabric'),
  'io.cilium/gateway-controller': unmodelled('Cilium'),
};

/** By the name of a class whose object is not there, as the charts name theirs. */
const byClass: readonly (readonly [RegExp, FrontDoor])[] = [
  [/^istio/, unmodelled('Istio')],
  [/^(nginx\.org|nginx-?(inc|plus))$/, unmodelled('NGINX Ingress Controller of NGINX Inc.')],
  [/^(eg|envoy.*)$/, envoyGateway],
  [/traefik/, traefik],
  [/(^|-)alb(-|$)/, alb],
];

/** The kinds of others that are ways in. */
const byKind: Readonly<Record<string, FrontDoor>> = {
  IngressRoute: traefik,
  VirtualService: unmodelled('Istio'),
  VirtualServer: unmodelled('NGINX Ingress Controller of NGINX Inc.'),
};

/** What serves that Ingress or route, by its class; undefined for any other object. */
export function frontDoorOf({ object }: Located, located: readonly Located[]): FrontDoor | undefined {
  if (object.kind === 'Ingress') return ofIngress(object, located);
  if (isOfGateway({ object })) return object.kind === 'HTTPRoute' ? ofRoute(object, located) : undefined;
  return isForeignWay(object) ? byKind[object.kind] : undefined;
}

const groups: Readonly<Record<string, RegExp>> = {
  IngressRoute: /^traefik\.(io|containo\.us)\//,
  VirtualService: /^networking\.istio\.io\//,
  VirtualServer: /^k8s\.nginx\.org\//,
};

/** A way in of a kind that is neither Kubernetes' nor the Gateway API's. */
export const isForeignWay = ({ apiVersion, kind }: Pick<Located['object'], 'apiVersion' | 'kind'>): boolean =>
  groups[kind]?.test(apiVersion) ?? false;

/** The class that an Ingress names, by its field or the annotation that preceded it. */
export function classOf(object: Located['object']): string | undefined {
  const named: unknown =
    Object(Object(object).spec).ingressClassName ?? object.metadata.annotations?.['kubernetes.io/ingress.class'];
  return typeof named === 'string' ? named : undefined;
}

/** An Ingress that names no class is taken for one of ingress-nginx. */
function ofIngress(object: Located['object'], located: readonly Located[]): FrontDoor {
  const named = classOf(object);
  if (named === undefined || named === 'nginx') return ingressNginx;
  return ofClass(named, controllerOf('IngressClass', named, 'controller', located));
}

function ofRoute(object: Located['object'], located: readonly Located[]): FrontDoor {
  const parents: unknown = Object(Object(object).spec).parentRefs;
  const names = new Set(Array.isArray(parents) ? parents.map(({ name }) => name) : []);
  const gateway = located.find(
    (one) => isOfGateway(one) && one.object.kind === 'Gateway' && names.has(one.object.metadata.name),
  );
  const named: unknown = Object(Object(gateway?.object).spec).gatewayClassName;
  if (typeof named === 'string') return ofClass(named, controllerOf('GatewayClass', named, 'controllerName', located));
  return beside(located) ?? unmodelled('a Gateway that is not in these manifests');
}

/** Who has policies of its own among the manifests serves their routes too. */
function beside(located: readonly Located[]): FrontDoor | undefined {
  const groupsThere = new Set(located.map(({ object }) => object.apiVersion.split('/')[0]));
  if (groupsThere.has('gateway.envoyproxy.io')) return envoyGateway;
  return groupsThere.has('traefik.io') ? traefik : undefined;
}

function controllerOf(kind: string, name: string, field: string, located: readonly Located[]): string | undefined {
  const found = located.find(({ object }) => object.kind === kind && object.metadata.name === name);
  const controller: unknown = Object(Object(found?.object).spec)[field];
  return typeof controller === 'string' ? controller : undefined;
}

function ofClass(name: string, controller: string | undefined): FrontDoor {
  if (controller !== undefined) return byController[controller] ?? unmodelled(controller);
  return byClass.find(([pattern]) => pattern.test(name))?.[1] ?? unmodelled(`the controller of class ${name}`);
}

/** What leads visitors to the application by its own manifests, as far as a rehearsal has a model of it. */
export function declaredDoor(
  { ingress, namespace }: Pick<OwnApplication, 'ingress' | 'namespace'>,
  located: readonly Located[],
): FrontDoorName {
  if (ingress === null) return 'nlb';
  const ways = located.filter(
    (one) =>
      one.standsFor === undefined && one.object.metadata.name === ingress && namespaceOf(one.object) === namespace,
  );
  const [door] = ways.flatMap((one) => frontDoorOf(one, located) ?? []);
  return door?.name ?? 'ingress-nginx';
}
