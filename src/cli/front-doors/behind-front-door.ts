import type { Ingress, Service } from '../../cluster/resources.ts';
import type { OwnApplication } from '../../validation/manifests/own-applications.ts';
import { ownSettings } from '../../validation/manifests/own-settings.ts';
import type { FrontDoorName } from '../manifests/front-door.ts';
import { type Located, type ManifestObject, namespaceOf } from '../manifests/located.ts';
import type { OwnManifests } from '../manifests/read-own.ts';
import { policyIn, withPolicy } from './door-policy.ts';

/** The manifests as a rehearsal behind that front door has them. */
export function behindFrontDoor(own: OwnManifests, name: FrontDoorName): OwnManifests {
  const all = [own, ...own.others].map(({ application }) => application);
  const moved = all.map((application) => ({ application, ...moveBehind(name, application, own.located) }));
  const located = moved.reduce<readonly Located[]>((objects, { next, change }) => {
    // Policies are of the front door that has them.
    const policy = name === own.frontDoor ? policyIn(name, next, own.written) : {};
    return withPolicy(policy, next, change(objects));
  }, own.located);
  const [first = own, ...others] = [own, ...own.others].map((one, index) => {
    const application = moved[index]?.next ?? one.application;
    const assumedSettings = { ...ownSettings(application, one.pool), ...controllers[name] };
    return { ...one, located, application, assumedSettings, frontDoor: name };
  });
  return { ...first, others };
}

/** Where the proxies of a front door are, by its chart; ingress-nginx is that of the settings. */
const controllers: Readonly<Partial<Record<FrontDoorName, object>>> = {
  'envoy-gateway': {
    ingressController: {
      namespace: 'envoy-gateway-system',
      selector: 'gateway.envoyproxy.io/owning-gateway-name=eg',
      service: 'envoy-default-eg',
      controlPlane: 'control-plane=envoy-gateway',
    },
  },
  traefik: {
    ingressController: { namespace: 'traefik', selector: 'app.kubernetes.io/name=traefik', service: 'traefik' },
  },
};

interface Move {
  readonly next: OwnApplication;
  readonly change: (located: readonly Located[]) => readonly Located[];
}

function moveBehind(name: FrontDoorName, application: OwnApplication, located: readonly Located[]): Move {
  if (name === 'alb' || name === 'nlb') return toBalancer(name, application, located);
  return application.ingress === null ? toIngress(application) : { next: application, change: (same) => same };
}

const prefix = 'service.beta.kubernetes.io/aws-load-balancer-';

/** The application's own Service becomes the load balancer, and the Ingress goes. */
function toBalancer(name: 'alb' | 'nlb', application: OwnApplication, located: readonly Located[]): Move {
  const way = located.find(({ object }) => isIngressOf(application, object));
  const { isTls, port: _, ...rest } = application;
  const next = { ...rest, isTls, ingress: null };
  if (application.ingress === null && name === 'nlb') return { next: application, change: (same) => same };
  const change = (objects: readonly Located[]) =>
    objects
      .filter(({ object }) => !isIngressOf(application, object))
      .map((one) =>
        isServiceOf(application, one.object)
          ? { ...one, object: balanced(name, application, one.object, way?.object) }
          : one,
      );
  return { next, change };
}

function balanced(
  name: 'alb' | 'nlb',
  { isTls }: OwnApplication,
  object: ManifestObject,
  way: ManifestObject | undefined,
): ManifestObject {
  const service = object as unknown as Service;
  const [first, ...more] = service.spec.ports;
  const isPod = targetsPods(name, service, way);
  const annotations = {
    ...way?.metadata.annotations,
    ...service.metadata.annotations,
    ...(name === 'alb' ? albAnnotations(way) : {}),
    [`${prefix}type`]: name === 'alb' ? 'application' : 'external',
    [`${prefix}nlb-target-type`]: isPod ? 'ip' : 'instance',
  };
  const ports = first === undefined ? more : [{ ...first, ...heardAt(first, isTls) }, ...more];
  const spec = { ...service.spec, type: 'LoadBalancer', ports };
  return { ...service, metadata: { ...service.metadata, annotations }, spec } as unknown as ManifestObject;
}

/** Listeners have the ports of the web, whatever the Service's. */
const heardAt = ({ port, targetPort = port }: Service['spec']['ports'][number], isTls: boolean) => ({
  port: isTls ? 443 : 80,
  targetPort,
});

/** `instance` is the controller's default, and needs a node port: a Service of type ClusterIP has pods as targets. */
function targetsPods(name: 'alb' | 'nlb', { spec }: Service, way: ManifestObject | undefined): boolean {
  const written = name === 'alb' ? way?.metadata.annotations?.['alb.ingress.kubernetes.io/target-type'] : undefined;
  return written === undefined ? (spec.type ?? 'ClusterIP') === 'ClusterIP' : written === 'ip';
}

/** The health check of the Ingress' annotations, with the defaults of an ALB (docs/facts/aws.md). */
function albAnnotations(way: ManifestObject | undefined): Readonly<Record<string, string>> {
  const of = (name: string) => way?.metadata.annotations?.[`alb.ingress.kubernetes.io/${name}`];
  return {
    [`${prefix}healthcheck-interval`]: of('healthcheck-interval-seconds') ?? '15',
    [`${prefix}healthcheck-unhealthy-threshold`]: of('unhealthy-threshold-count') ?? '2',
  };
}

/** An Ingress to the application's own load balancer's Service, which is none any more. */
function toIngress(application: OwnApplication): Move {
  const { service, namespace, host, isTls, port: _, ...rest } = application;
  const name = `${service}-front-door`;
  const change = (objects: readonly Located[]) =>
    objects.flatMap((one) => {
      if (!isServiceOf(application, one.object)) return [one];
      const { metadata, spec } = one.object as unknown as Service;
      const { annotations: _, ...named } = metadata;
      const object = { ...one.object, metadata: named, spec: { ...spec, type: 'ClusterIP' } } as ManifestObject;
      return [
        { ...one, object: withoutTraffic(object) },
        { ...one, object: ingressTo(name, application, spec) },
      ];
    });
  return { next: { ...rest, service, namespace, host, isTls, ingress: name }, change };
}

/** Only a load balancer has a policy for traffic from outside. */
function withoutTraffic(object: ManifestObject): ManifestObject {
  const { externalTrafficPolicy: _, loadBalancerClass: __, ...spec } = Object(Object(object).spec);
  return { ...object, spec } as ManifestObject;
}

function ingressTo(name: string, application: OwnApplication, { ports }: Service['spec']): ManifestObject {
  const { namespace, host, service, isTls } = application;
  const { port = 80 } = ports.find((one) => one.port === 80 || one.name === 'http') ?? ports[0] ?? {};
  const backend = { service: { name: service, port: { number: port } } };
  const ingress: Ingress = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace },
    spec: {
      ingressClassName: 'nginx',
      ...(isTls && { tls: [{ hosts: [host] }] }),
      rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
    },
  };
  return ingress as unknown as ManifestObject;
}

const isIn = ({ namespace }: OwnApplication, object: ManifestObject): boolean => namespaceOf(object) === namespace;
const isServiceOf = (application: OwnApplication, object: ManifestObject): boolean =>
  object.kind === 'Service' && object.metadata.name === application.service && isIn(application, object);
const isIngressOf = (application: OwnApplication, object: ManifestObject): boolean =>
  object.kind === 'Ingress' && object.metadata.name === application.ingress && isIn(application, object);
