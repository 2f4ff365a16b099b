import { isReady } from '../../cluster/pods.ts';
import type { Pod } from '../../cluster/resources.ts';
import { boundedText } from '../../figures/figures.js';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import type { Snapshot } from '../observe/snapshot.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import { never, type Prediction, range, sum } from '../record/prediction.ts';
import type { Settings } from '../settings.ts';
import { noDowntime } from './expectations.ts';
import type { Scenario } from './scenario.ts';
import { ingressControllerOf } from './shared.ts';

/** 4.1: delete one ingress controller pod. Downtime means an ingress HA defect. */
export const ingressControllerFailure = {
  name: 'ingress-controller-failure',
  title: 'Ingress controller failure',
  expected: 'no downtime (needs at least 2 controller replicas); downtime means an ingress HA defect',
  explanation: {
    how: 'Deletes one pod of the ingress controller, and one of what tells its proxies what to do where that is another (ingressController.controlPlane).',
    fails: [
      'With one replica no request is answered until the new pod is ready.',
      'ingress-nginx closes its sockets at once (--shutdown-grace-period is 0), and its pod is Ready for 11 s more. With externalTrafficPolicy Local, as in its manifest for AWS, every new connection to that node breaks until the load balancer’s check has failed twice (20 s) or another controller is ready there: measured, 12 s. With Cluster kube-proxy stops sending within about a second.',
      'Connections that were kept open break; new ones do not. Both are probed.',
    ],
    measured: ['downtime on new connections', 'what kept connections saw'],
  },
  needsIngress: true,
  permissions: ({ ingressController: { namespace } }) => [
    { group: '', resource: 'pods', verbs: ['get', 'delete'], namespace },
  ],
  sharedBy: ingressControllerOf,
  disturbs: ['ingress-controller'],
  predict: predictIngressControllerFailure,
  baseline: { appReplicas: 2, orMore: true },
  plan: (before, { ingressController: { namespace } }) => {
    const [pod] = readyIngressPods(before);
    if (pod === undefined) return { inconclusive: 'no ingress controller pod is ready' };
    const { name, uid = '' } = pod.metadata;
    const deletion = { action: 'delete-pod', target: { namespace, name, uid } } as const;
    const [other] = (before.controlPlanePods ?? []).filter(isReady).toSorted(byName);
    if (other === undefined) return { actions: [deletion] };
    const { name: teller, uid: its = '' } = other.metadata;
    return { actions: [deletion, { action: 'delete-pod', target: { namespace, name: teller, uid: its } }] };
  },
  settled: (now, before) => {
    const [deleted] = readyIngressPods(before);
    return (
      readyIngressPods(now).length >= readyIngressPods(before).length &&
      now.ingressPods.every(({ metadata }) => metadata.uid !== deleted?.metadata.uid)
    );
  },
  // The grace period of the chart is 300 s (docs/facts/ingress-nginx.md, "Defaults of its chart and manifests"); a new
  // pod needs less.
  settleWithinSeconds: 360,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: false,
  judge: (measured, settings) => [
    highAvailability(measured, settings),
    keptConnections(measured),
    readyAgain(measured),
  ],
} as const satisfies Scenario;

/** Sorted by name, so that `plan` and `settled` mean the same pod. */
function readyIngressPods({ ingressPods }: Snapshot) {
  return ingressPods.filter(isReady).sort(byName);
}

const byName = (a: Pod, b: Pod): number => a.metadata.name.localeCompare(b.metadata.name, 'en');

function highAvailability(measured: Measurement, { rehearse }: Settings): Expectation {
  const judged = noDowntime(measured);
  const replicas = measured.ingress?.readyAtStart;
  if (judged.outcome !== 'not-met') return judged;
  return {
    ...judged,
    observed: `ingress HA defect, with ${replicas ?? 'an unknown number of'} ready controller replicas: ${judged.observed}`,
    advice:
      replicas !== undefined && replicas < 2
        ? 'run at least 2 replicas of the ingress controller, on different nodes'
        : `its listener closed before the load balancer and kube-proxy stopped sending: ${remedies[rehearse?.frontDoor ?? 'any']} (more than 2 s with externalTrafficPolicy Cluster; with Local more than the 20 s of the load balancer’s health check), and spread the replicas over nodes`,
  };
}

/** What lets a proxy serve on until nobody sends to it, by what it is (docs/front-doors.md). */
const remedies = {
  any: 'set --shutdown-grace-period (ingress-nginx), requestAcceptGraceTimeout (Traefik), externalTrafficPolicy Cluster of its proxies (Envoy Gateway) or a preStop sleep',
  'ingress-nginx': 'set --shutdown-grace-period',
  traefik: 'set requestAcceptGraceTimeout of its entry points',
  'envoy-gateway':
    'set provider.kubernetes.envoyService.externalTrafficPolicy to Cluster in its EnvoyProxy, whose drain then outlasts kube-proxy',
  alb: 'set --shutdown-grace-period',
  nlb: 'set --shutdown-grace-period',
} as const;

/**
 * Kept connections fail differently, so they are counted apart (docs/facts/measuring.md, "New and kept connections").
 */
function keptConnections({ reused }: Measurement): Expectation {
  const observed =
    reused === undefined ? 'no probe kept its connection' : `${reused.bad} of ${reused.samples} requests failed`;
  return {
    id: 'kept-connections',
    expected: 'requests on kept connections, counted apart',
    outcome: 'noted',
    observed,
  };
}

function readyAgain({ ingress }: Measurement): Expectation {
  const one = { id: 'ready-again', expected: 'as many controller replicas ready as before' };
  if (ingress === undefined)
    return { ...one, outcome: 'inconclusive', observed: 'the pods of the ingress controller were not observed' };
  const { readyAgain, fewestReady, readyAtStart } = ingress;
  const observed =
    readyAgain === null
      ? 'not seen'
      : `after ${boundedText(readyAgain)}; at the fewest ${fewestReady} of ${readyAtStart} were ready`;
  return { ...one, outcome: 'noted', observed };
}

/** The readiness period of the chart is 10 s (docs/facts/ingress-nginx.md, "Defaults of its chart and manifests"). */
const controllerReady = range(1, 30);

function predictIngressControllerFailure({ ingressReplicas, ingressNodes }: Circumstances): Prediction {
  const alone = ingressReplicas < 2;
  return {
    durationSeconds: sum(typicalDurations.frame, range(0, 300)),
    downtimeSeconds: alone ? range(1, controllerReady.most) : never,
    nodeReadySeconds: null,
    podReadySeconds: null,
    steps: [
      {
        afterSeconds: range(0, alone ? controllerReady.most : 0),
        what: alone ? 'nobody answers' : 'the other controllers answer',
        because: `${ingressReplicas} controller replicas on ${ingressNodes} nodes`,
      },
      {
        afterSeconds: controllerReady,
        measuredAs: 'ingress-ready',
        what: 'the new pod is ready',
        because: 'its readiness probe',
      },
    ],
  };
}
