import { preStopOf } from '../../cluster/pre-stop.ts';
import type { Workload } from '../../cluster/workload.ts';
import type { RunResult } from '../../validation/judge/run-result.ts';
import type { FrontDoorRehearsed } from '../../validation/record/events.ts';
import type { FrontDoorName } from '../manifests/front-door.ts';

type Advice = FrontDoorRehearsed['advice'][number];

/** What to set at a front door and in the application behind it; `tried`: the rehearsal had it set. */
export function frontDoorAdvice(
  name: FrontDoorName,
  result: RunResult,
  { workload, isMended }: { readonly workload: Workload; readonly isMended: boolean },
): readonly Advice[] {
  return [
    ...ofProxies[name].map((one) => ({ ...one, tried: isMended && !one.because.endsWith('not rehearsed') })),
    ...(name === 'ingress-nginx' ? [retired] : []),
    ...ofPods(name, workload),
    ...(isHit(result, 'instance-kill') ? silentPods[name].map((one) => ({ ...one, tried: false })) : []),
  ];
}

const retired: Advice = { what: 'plan its replacement', because: 'it is retired since March 2026', tried: false };

type Untried = Omit<Advice, 'tried'>;

/** docs/front-doors.md, "As measured". */
const ofProxies: Readonly<Record<FrontDoorName, readonly Untried[]>> = {
  'ingress-nginx': [
    {
      what: 'the controller’s Service: externalTrafficPolicy Cluster; the controller: --shutdown-grace-period=5',
      because: 'with Local and 0 s, as in its manifest for AWS, half of all new connections break for 12 s',
    },
  ],
  'envoy-gateway': [
    {
      what: 'EnvoyProxy: provider.kubernetes.envoyService.externalTrafficPolicy: Cluster',
      because: 'with Local, its default, the drain of a proxy opens a hole of 6 s for half of all new connections',
    },
    {
      what: 'its chart: deployment.replicas: 2, for the control plane',
      because: 'while its only control plane is away, for 11 to 12 s, proxies send on to pods that went',
    },
  ],
  traefik: [
    {
      what: '--entryPoints.web.transport.lifeCycle.requestAcceptGraceTimeout=5',
      because: 'by default it refuses connections until kube-proxy knows that it ends',
    },
  ],
  alb: [
    {
      what: 'the namespace’s label elbv2.k8s.aws/pod-readiness-gate-inject: enabled, with target type ip',
      because: 'a rollout else goes on before the load balancer has found new pods healthy; not rehearsed',
    },
  ],
  nlb: [],
};

/**
 * How long a front door sends to a pod that ends, and the preStop sleep that outlasts it (docs/front-doors.md,
 * docs/facts/aws.md).
 */
const lags: Readonly<Record<FrontDoorName, { readonly lagSeconds: number; readonly neededSeconds: number }>> = {
  'ingress-nginx': { lagSeconds: 5, neededSeconds: 10 },
  'envoy-gateway': { lagSeconds: 1, neededSeconds: 5 },
  traefik: { lagSeconds: 3, neededSeconds: 5 },
  alb: { lagSeconds: 25, neededSeconds: 60 },
  nlb: { lagSeconds: 180, neededSeconds: 200 },
};

function ofPods(name: FrontDoorName, { spec }: Workload): readonly Advice[] {
  const shortest = Math.min(...spec.template.spec.containers.map(preStopOf));
  const { lagSeconds, neededSeconds } = lags[name];
  if (shortest >= lagSeconds) return [];
  const has = shortest === 0 ? 'there is no preStop sleep' : `its preStop sleep is ${shortest} s`;
  const asks =
    name === 'ingress-nginx' ? 'it may send to a pod that ends' : 'it sends to a pod that ends, and tries no other';
  const what = `the application: lifecycle.preStop.sleep.seconds: ${neededSeconds}, and a longer grace`;
  return [{ what, because: `${has}, and ${asks} for up to ${lagSeconds} s`, tried: false }];
}

/** What shortens the outage of a node that falls silent. */
const silentPods: Readonly<Record<FrontDoorName, readonly Untried[]>> = {
  'ingress-nginx': [],
  'envoy-gateway': [
    {
      what: 'BackendTrafficPolicy: retry (numRetries 2), healthCheck.passive, timeout.tcp.connectTimeout: 1s',
      because: 'nothing is tried again by default: half of all requests fail while a node is silent, for 45 s',
    },
  ],
  traefik: [
    {
      what: 'a retry middleware (attempts 2), and serversTransport.forwardingTimeouts.dialTimeout: 1s',
      because: 'nothing is tried again by default: half of all requests wait 30 s for 504 while a node is silent',
    },
  ],
  alb: [
    {
      what: 'alb.ingress.kubernetes.io/healthcheck-interval-seconds: "5"',
      because: 'a silent pod gets requests until two checks of 15 s have failed',
    },
  ],
  nlb: [],
};

const isHit = ({ scenarios }: RunResult, name: string): boolean =>
  scenarios.some((one) => one.name === name && (one.downtime?.bad ?? 0) > 0);
