import { type DoorPolicy, policyAnnotation } from '@holdfast/embedded-cluster';
import { preStopOf } from '../../cluster/pre-stop.ts';
import type { Container, PodSpec } from '../../cluster/specs.ts';
import type { OwnApplication } from '../../validation/manifests/own-applications.ts';
import type { FrontDoorName } from '../manifests/front-door.ts';
import { type Located, namespaceOf } from '../manifests/located.ts';
import type { OwnManifests } from '../manifests/read-own.ts';
import { withPolicy } from './door-policy.ts';

/** What one could set at a front door, or in the application behind it, and how a rehearsal tries it. */
export interface Advice {
  readonly what: string;
  readonly because: string;
  /** The scenarios that it would make shorter; of those that cost visitors something it is tried in the worst two. */
  readonly shortens: readonly string[];
  /** The manifests with it, or how the proxies are installed without it; absent of what no rehearsal can try. */
  readonly change?: (own: OwnManifests) => OwnManifests;
  readonly installed?: 'official' | 'mended';
}

/** All that may help, in lists: of each the first that helps in a rehearsal is given. */
export const adviceFor = (
  name: FrontDoorName,
  { application }: OwnManifests,
  installed: 'official' | 'mended',
): readonly (readonly Advice[])[] => [
  ofProxies[name].map((one) => ({ ...one, installed: installed === 'mended' ? 'official' : 'mended' })),
  preStops(name, application),
  ...silentPods[name],
  ...untried[name].map((one) => [one]),
];

const ofIngress = ['ingress-controller-failure'];

/** docs/front-doors.md, "As measured". */
const ofProxies: Readonly<Record<FrontDoorName, readonly Advice[]>> = {
  'ingress-nginx': [
    {
      what: 'the controller’s Service: externalTrafficPolicy Cluster; the controller: --shutdown-grace-period=5',
      because: 'with Local and 0 s, as in its manifest for AWS, new connections break while a controller ends',
      shortens: ofIngress,
    },
  ],
  'envoy-gateway': [
    {
      what: 'EnvoyProxy: provider.kubernetes.envoyService.externalTrafficPolicy: Cluster; its chart: deployment.replicas: 2, for the control plane',
      because:
        'with Local, its default, the drain of a proxy opens a hole, and without a control plane proxies send on to pods that went',
      shortens: ofIngress,
    },
  ],
  traefik: [
    {
      what: '--entryPoints.web.transport.lifeCycle.requestAcceptGraceTimeout=5',
      because: 'by default it refuses connections until kube-proxy knows that it ends',
      shortens: ofIngress,
    },
  ],
  alb: [],
  nlb: [],
};

/** The preStop sleeps that outlast what a front door needs to forget a pod (docs/front-doors.md, docs/facts/aws.md). */
const preStopSeconds: Readonly<Record<FrontDoorName, readonly number[]>> = {
  'ingress-nginx': [10],
  'envoy-gateway': [5, 10],
  traefik: [5, 10],
  alb: [30, 60],
  nlb: [200],
};

const endingPods = ['rollout', 'node-drain', 'scale-down', 'disruption-budget', 'consolidation', 'scale-up'];

function preStops(name: FrontDoorName, { workload }: OwnApplication): readonly Advice[] {
  const { containers } = workload.spec.template.spec;
  const has = Math.min(...containers.map(preStopOf));
  const shown = has === 0 ? 'there is no preStop sleep' : `its preStop sleep is ${has} s`;
  return preStopSeconds[name]
    .filter((seconds) => seconds > has)
    .map((seconds) => ({
      what: `the application: lifecycle.preStop.sleep.seconds: ${seconds}, and terminationGracePeriodSeconds: ${seconds + graceAfterSeconds}`,
      because: `${shown}, and requests still come to a pod that ends`,
      shortens: endingPods,
      change: (own) => withPods(own, (spec) => sleeping(spec, seconds)),
    }));
}

/** For requests under way, and the end of the process. */
const graceAfterSeconds = 30;

const sleeping = (spec: PodSpec, seconds: number): PodSpec => ({
  ...spec,
  terminationGracePeriodSeconds: seconds + graceAfterSeconds,
  containers: spec.containers.map((container: Container) => ({
    ...container,
    lifecycle: { ...container.lifecycle, preStop: { sleep: { seconds } } },
  })),
});

/** What shortens the outage of a node that falls silent. */
const silentPods: Readonly<Record<FrontDoorName, readonly (readonly Advice[])[]>> = {
  'ingress-nginx': [],
  'envoy-gateway': [
    [
      byPolicy('BackendTrafficPolicy: retry.numRetries: 2, timeout.tcp.connectTimeout: 500ms', {
        retries: 2,
        connectTimeoutSeconds: 0.5,
      }),
      byPolicy(
        'BackendTrafficPolicy: retry.numRetries: 2, timeout.tcp.connectTimeout: 500ms, and healthCheck.passive with maxEjectionPercent: 50: with its default of 10 none of fewer than ten pods is taken out',
        { retries: 2, connectTimeoutSeconds: 0.5, consecutiveErrors: 5, mostEjectedPercent: 50 },
      ),
    ],
  ],
  traefik: [
    [
      byPolicy(
        'Middleware: retry.attempts: 5; ServersTransport: forwardingTimeouts.dialTimeout: 250ms; a retry goes to whose turn it is, which may be the silent pod again',
        { retries: 4, connectTimeoutSeconds: 0.25 },
      ),
    ],
  ],
  alb: [[byHealthCheck('alb.ingress.kubernetes.io/healthcheck-interval-seconds: "5"')]],
  nlb: [[byHealthCheck('service.beta.kubernetes.io/aws-load-balancer-healthcheck-interval: "5"')]],
};

function byPolicy(what: string, policy: DoorPolicy): Advice {
  return {
    what,
    because: 'nothing is tried again by default, while a node is silent and its pods are still endpoints',
    shortens: ['instance-kill'],
    change: (own) => ({ ...own, located: withPolicy({ ...policyAt(own), ...policy }, own.application, own.located) }),
  };
}

/** What the manifests set already stays. */
function policyAt({ application: { ingress, namespace }, located }: OwnManifests): DoorPolicy {
  const way = located.find(
    ({ object }) => object.kind === 'Ingress' && object.metadata.name === ingress && namespaceOf(object) === namespace,
  );
  return JSON.parse(way?.object.metadata.annotations?.[policyAnnotation] ?? '{}') as DoorPolicy;
}

function byHealthCheck(what: string): Advice {
  return {
    what,
    because: 'a silent pod gets requests until checks of it have failed',
    shortens: ['instance-kill'],
    change: (own) => withAnnotation(own, 'service.beta.kubernetes.io/aws-load-balancer-healthcheck-interval', '5'),
  };
}

const untried: Readonly<Record<FrontDoorName, readonly Advice[]>> = {
  'ingress-nginx': [{ what: 'plan its replacement', because: 'it is retired since March 2026', shortens: [] }],
  'envoy-gateway': [],
  traefik: [],
  alb: [
    {
      what: 'the namespace’s label elbv2.k8s.aws/pod-readiness-gate-inject: enabled, with target type ip',
      because: 'a rollout else goes on before the load balancer has found new pods healthy; not rehearsed',
      shortens: [],
    },
  ],
  nlb: [],
};

/** The manifests with another pod template of the application. */
function withPods(own: OwnManifests, change: (spec: PodSpec) => PodSpec): OwnManifests {
  const { kind, name, namespace } = own.application;
  const workload = changedPods(own.application.workload, change);
  const located = own.located.map((one): Located => {
    const { object } = one;
    if (object.kind !== kind || object.metadata.name !== name || namespaceOf(object) !== namespace) return one;
    return { ...one, object: changedPods(object as unknown as typeof workload, change) as unknown as typeof object };
  });
  return { ...own, located, application: { ...own.application, workload } };
}

function changedPods<W extends OwnApplication['workload']>(workload: W, change: (spec: PodSpec) => PodSpec): W {
  const { template } = workload.spec;
  return { ...workload, spec: { ...workload.spec, template: { ...template, spec: change(template.spec) } } };
}

function withAnnotation(own: OwnManifests, key: string, value: string): OwnManifests {
  const { service, namespace } = own.application;
  const located = own.located.map((one): Located => {
    const { object } = one;
    if (object.kind !== 'Service' || object.metadata.name !== service || namespaceOf(object) !== namespace) return one;
    const annotations = { ...object.metadata.annotations, [key]: value };
    return { ...one, object: { ...object, metadata: { ...object.metadata, annotations } } };
  });
  return { ...own, located };
}
