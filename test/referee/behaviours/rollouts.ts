import type { Behaviour } from './behaviour.ts';
import { app, budget, template } from './objects.ts';
import type { Stage } from './stage.ts';
import { condition, isReadyPod } from './stage.ts';

const probe = { httpGet: { path: '/', port: 80 }, periodSeconds: 1 };
const bump = (number = 1) => ({ spec: { template: { metadata: { annotations: { rolled: String(number) } } } } });
const deployment = (stage: Stage) => stage.seen('Deployment')[0];
export const isRolledOut = (stage: Stage): boolean => {
  const { metadata, spec, status = {} } = deployment(stage);
  const { observedGeneration, updatedReplicas, replicas, availableReplicas } = status;
  return (
    observedGeneration >= metadata.generation &&
    [updatedReplicas, replicas, availableReplicas].every((count) => (count ?? 0) === spec.replicas)
  );
};
const roll = async (stage: Stage) => {
  await stage.patch('Deployment', 'app', bump());
  await stage.sleep(0.5);
  await stage.until('rolled out', () => isRolledOut(stage), 120);
};
const strategy = (maxSurge: number | string, maxUnavailable: number | string) => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});

/** The real cluster has a system node in each of these zones, the embedded one in a third too. */
const inTwoZones = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [
        {
          matchExpressions: [
            { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1a', 'us-east-1b'] },
          ],
        },
      ],
    },
  },
};

/** Deployments, on nodes that stay as they are. */
export const rollouts: readonly Behaviour[] = [
  {
    name: 'rollout-surge',
    deed: 'a rollout of 3 with maxSurge 1, maxUnavailable 0',
    before: (names) => app(names, { replicas: 3, deployment: strategy(1, 0) }),
    wanted: 3,
    play: roll,
  },
  {
    name: 'rollout-unavailable',
    deed: 'a rollout of 3 with maxSurge 0, maxUnavailable 1, and a preStop of 4 s',
    before: (names) => app(names, { replicas: 3, preStopSeconds: 4, deployment: strategy(0, 1) }),
    wanted: 3,
    play: roll,
  },
  {
    name: 'rollout-percent',
    deed: 'a rollout of 5 with 25 % and 25 %',
    before: (names) => app(names, { replicas: 5, deployment: strategy('25%', '25%') }),
    wanted: 4,
    play: roll,
  },
  {
    name: 'recreate',
    deed: 'a rollout by Recreate, with a preStop of 3 s',
    before: (names) => app(names, { preStopSeconds: 3, deployment: { strategy: { type: 'Recreate' } } }),
    wanted: 2,
    play: roll,
  },
  {
    name: 'rollout-slow-ready',
    deed: 'a rollout of 2 with minReadySeconds 8',
    before: (names) => app(names, { deployment: { minReadySeconds: 8, ...strategy(1, 0) } }),
    wanted: 2,
    play: roll,
  },
  {
    name: 'rollout-missing-image',
    deed: 'a rollout to an image that no registry has, 20 s later back to the old one',
    before: (names) => app(names, { replicas: 3, deployment: strategy(1, 1) }),
    wanted: 2,
    play: async (stage) => {
      await stage.patch('Deployment', 'app', image('missing:1'));
      await stage.sleep(0.5);
      await stage.until(
        'a new pod is ready',
        () => (deployment(stage).status.updatedReplicas ?? 0) > 0 && isRolledOut(stage),
        20,
      );
      await stage.patch('Deployment', 'app', image('nginx'));
      await stage.sleep(0.5);
      await stage.until('back', () => isRolledOut(stage), 60);
    },
  },
  {
    name: 'rollout-never-ready',
    deed: 'a rollout to a readiness probe that fails, with progressDeadlineSeconds 15, then undone',
    before: (names) => app(names, { replicas: 3, deployment: { progressDeadlineSeconds: 15, ...strategy(1, 0) } }),
    wanted: 3,
    play: async (stage) => {
      await stage.patch(
        'Deployment',
        'app',
        container({ readinessProbe: { ...probe, httpGet: { path: '/nowhere', port: 80 } } }),
      );
      await stage.until(
        'ProgressDeadlineExceeded',
        () => condition(deployment(stage), 'Progressing')?.reason === 'ProgressDeadlineExceeded',
        60,
      );
      await stage.patch('Deployment', 'app', container({ readinessProbe: probe }));
      await stage.sleep(0.5);
      await stage.until('back', () => isRolledOut(stage), 60);
    },
  },
  {
    name: 'rollout-paused',
    deed: 'a rollout paused after a second, scaled from 4 to 6 meanwhile, resumed after 10 s',
    before: (names) => app(names, { replicas: 4, preStopSeconds: 3, deployment: strategy(1, 1) }),
    wanted: 3,
    play: async (stage) => {
      await stage.patch('Deployment', 'app', bump());
      await stage.sleep(1);
      await stage.patch('Deployment', 'app', { spec: { paused: true, replicas: 6 } });
      await stage.sleep(10);
      stage.note('count of ready pods while paused', stage.readyPods().length);
      await stage.patch('Deployment', 'app', { spec: { paused: false } });
      await stage.sleep(0.5);
      await stage.until('rolled out', () => isRolledOut(stage), 90);
    },
  },
  {
    name: 'rollout-rolled-over',
    deed: 'three rollouts, a second after one another',
    before: (names) => app(names, { replicas: 4, preStopSeconds: 2, deployment: strategy(1, 1) }),
    wanted: 3,
    play: async (stage) => {
      for (const number of [1, 2, 3]) {
        await stage.patch('Deployment', 'app', bump(number));
        await stage.sleep(1);
      }
      await stage.until('rolled out', () => isRolledOut(stage), 90);
      stage.note('count of replica sets', stage.seen('ReplicaSet').length);
    },
  },
  {
    name: 'rollout-scaled',
    deed: 'a rollout that cannot get ready, scaled from 4 to 8 in its middle: pods of the old and of the new',
    before: (names) => app(names, { replicas: 4, deployment: strategy(2, 1) }),
    wanted: 3,
    play: async (stage) => {
      await stage.patch(
        'Deployment',
        'app',
        container({ readinessProbe: { ...probe, httpGet: { path: '/nowhere', port: 80 } } }),
      );
      await stage.sleep(6);
      await stage.patch('Deployment', 'app', { spec: { replicas: 8 } });
      await stage.sleep(8);
      const sizes = stage.seen('ReplicaSet').map(({ spec }) => spec.replicas);
      stage.note('count of pods in each replica set', sizes.sort().join(' and '));
      stage.note('count of ready pods', stage.readyPods().length);
    },
  },
  {
    name: 'rollout-against-anti-affinity',
    deed: 'a rollout with maxSurge 1, maxUnavailable 0 where each node may have one pod and has one',
    before: (names) => [
      ...app(names, {
        replicas: 1,
        pod: {
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey: 'topology.kubernetes.io/region', labelSelector: { matchLabels: { app: 'app' } } },
              ],
            },
          },
        },
        deployment: strategy(1, 0),
      }),
    ],
    wanted: 1,
    play: async (stage) => {
      await stage.patch('Deployment', 'app', bump());
      await stage.sleep(0.5);
      await stage.until('rolled out', () => isRolledOut(stage), 15);
      stage.note('count of pods that wait', stage.pods().filter(({ status }) => status.phase === 'Pending').length);
    },
  },
  {
    name: 'scale-and-back',
    deed: 'scale from 2 to 6, then to 2 with a preStop of 3 s: which pods stay',
    before: (names) => app(names, { preStopSeconds: 3 }),
    wanted: 2,
    play: async (stage) => {
      const first = new Set(stage.pods().map(({ metadata }) => metadata.name));
      await stage.patch('Deployment', 'app', { spec: { replicas: 6 } });
      await stage.until('six', () => stage.readyPods().length === 6, 40);
      await stage.patch('Deployment', 'app', { spec: { replicas: 2 } });
      await stage.until('two are left', () => stage.pods().length === 2, 60);
      stage.note(
        'count of the first pods that stay',
        stage.pods().filter(({ metadata }) => first.has(metadata.name)).length,
      );
    },
  },
  {
    name: 'replica-set-deleted',
    deed: 'the ReplicaSet of a Deployment is deleted',
    before: (names) => app(names),
    wanted: 2,
    play: async (stage) => {
      const [set] = stage.seen('ReplicaSet');
      await stage.remove('ReplicaSet', set.metadata.name);
      await stage.until(
        'another one',
        () => stage.seen('ReplicaSet').some(({ metadata }) => metadata.uid !== set.metadata.uid),
        30,
      );
      await stage.until('ready', () => stage.readyPods().length === 2 && stage.pods().length === 2, 60);
    },
  },
  {
    name: 'pod-released',
    deed: 'the label of a pod is changed, so that neither ReplicaSet nor Service has it',
    before: (names) => app(names),
    wanted: 2,
    play: async (stage) => {
      const [pod] = stage.pods();
      await stage.patch('Pod', pod.metadata.name, { metadata: { labels: { app: 'other' } } });
      await stage.until('another one is ready', () => stage.readyPods().length === 3, 30);
    },
  },
  {
    name: 'liveness-fails',
    deed: 'a rollout to a liveness probe that fails every second, three times',
    before: (names) => app(names, { replicas: 1, deployment: strategy(0, 1) }),
    wanted: 1,
    play: async (stage) => {
      const livenessProbe = { httpGet: { path: '/nowhere', port: 80 }, periodSeconds: 1, failureThreshold: 3 };
      await stage.patch('Deployment', 'app', container({ livenessProbe }));
      const restarts = () =>
        Math.max(0, ...stage.pods().map(({ status }) => status.containerStatuses?.[0]?.restartCount ?? 0));
      await stage.until('first restart', () => restarts() >= 1, 40);
      await stage.until('second restart', () => restarts() >= 2, 60);
      await stage.until(
        'CrashLoopBackOff',
        () =>
          stage
            .pods()
            .some(({ status }) => status.containerStatuses?.[0]?.state?.waiting?.reason === 'CrashLoopBackOff'),
        60,
      );
    },
  },
  {
    name: 'pod-short-grace',
    deed: 'a pod with a preStop of 10 s is deleted with --grace-period=3',
    before: (names) => app(names, { preStopSeconds: 10 }),
    wanted: 2,
    play: async (stage) => {
      const [pod] = stage.pods();
      await stage.remove('Pod', pod.metadata.name, { gracePeriodSeconds: 3 });
      await stage.until('gone', () => !stage.pods().some(({ metadata }) => metadata.uid === pod.metadata.uid), 60);
    },
  },
  {
    name: 'pod-forced',
    deed: 'a pod with a preStop of 20 s is deleted with --force --grace-period=0',
    before: (names) => app(names, { preStopSeconds: 20 }),
    wanted: 2,
    play: async (stage) => {
      const [pod] = stage.pods();
      await stage.remove('Pod', pod.metadata.name, { gracePeriodSeconds: 0 });
      await stage.until('gone', () => !stage.pods().some(({ metadata }) => metadata.uid === pod.metadata.uid), 60);
      await stage.until('two are ready', () => stage.readyPods().length === 2, 60);
    },
  },
  {
    name: 'namespace-deleted',
    deed: 'a namespace with an application, a budget without room and a preStop of 5 s is deleted',
    before: (names) => [...app(names, { preStopSeconds: 5 }), budget(names, { minAvailable: 2 })],
    wanted: 2,
    play: async (stage) => {
      await stage.remove('Namespace', stage.namespace);
      const mine = () => stage.seen('Namespace').find(({ metadata }) => metadata.name === stage.namespace);
      await stage.until('Terminating', () => mine()?.status?.phase === 'Terminating', 10);
      await stage.until('gone', () => mine() === undefined, 90);
    },
  },
  {
    name: 'budget-percent',
    deed: 'a budget of minAvailable 50 % for 5 pods: how many evictions at once',
    before: (names) => [...app(names, { replicas: 5, preStopSeconds: 5 }), budget(names, { minAvailable: '50%' })],
    wanted: 3,
    play: async (stage) => {
      const codes: number[] = [];
      for (const { metadata } of stage.pods()) codes.push(await stage.evict(metadata.name));
      stage.note('count of evictions allowed', codes.filter((code) => code === 201).length);
      await stage.until('five are ready', () => stage.readyPods().length === 5, 60);
    },
  },
  {
    name: 'budget-and-rollout',
    deed: 'an eviction with maxUnavailable 1 while a rollout keeps one pod unready',
    before: (names) => [
      ...app(names, { replicas: 3, deployment: strategy(0, 1) }),
      budget(names, { maxUnavailable: 1 }),
    ],
    wanted: 2,
    play: async (stage) => {
      await stage.patch(
        'Deployment',
        'app',
        container({ readinessProbe: { ...probe, httpGet: { path: '/nowhere', port: 80 } } }),
      );
      await stage.sleep(6);
      const [ready] = stage.readyPods();
      stage.note('status of the eviction of a ready pod', String(await stage.evict(ready.metadata.name)));
      const unready = stage.pods().find((pod) => !isReadyPod(pod));
      stage.note('status of the eviction of the unready pod', String(await stage.evict(unready.metadata.name)));
    },
  },
  {
    name: 'budget-two',
    deed: 'an eviction of a pod that two budgets have',
    before: (names) => [
      ...app(names, { replicas: 3 }),
      budget(names, { maxUnavailable: 1 }),
      { ...budget(names, { maxUnavailable: 2 }), metadata: { name: 'second', namespace: names.namespace } },
    ],
    wanted: 3,
    play: async (stage) => {
      const [pod] = stage.pods();
      stage.note('status of the eviction', String(await stage.evict(pod.metadata.name)));
    },
  },
  {
    name: 'service-away',
    deed: 'the selector of the Service is wrong for 6 s',
    before: (names) => app(names),
    wanted: 2,
    play: async (stage) => {
      const service = { spec: { selector: { app: 'nobody' } } };
      await stage.patch('Service', 'app', service);
      await stage.sleep(6);
      await stage.patch('Service', 'app', { spec: { selector: { app: 'app' } } });
      await stage.sleep(4);
    },
  },
  {
    name: 'daemon-set-update',
    deed: 'a DaemonSet on the system nodes is updated with maxUnavailable 1 and a preStop of 3 s: seconds a node',
    before: (names) => [
      {
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        metadata: { name: 'app', namespace: names.namespace },
        spec: {
          selector: { matchLabels: { app: 'app' } },
          template: template({ preStopSeconds: 3, pod: { affinity: inTwoZones } }),
        },
      },
    ],
    wanted: 0,
    play: async (stage) => {
      const set = () => stage.seen('DaemonSet')[0];
      const isUpdated = () => {
        const { desiredNumberScheduled, updatedNumberScheduled, numberAvailable, observedGeneration } = set().status;
        return (
          observedGeneration >= set().metadata.generation &&
          updatedNumberScheduled === desiredNumberScheduled &&
          numberAvailable === desiredNumberScheduled
        );
      };
      const began = stage.place.seconds();
      await stage.patch('DaemonSet', 'app', bump());
      await stage.sleep(0.5);
      await stage.until('updated', isUpdated, 90);
      const seconds = (stage.place.seconds() - began) / set().status.desiredNumberScheduled;
      stage.note('seconds a node', Math.round(seconds * 10) / 10);
      stage.note('updated', 'yes');
    },
  },
];

const image = (name: string) => container({ image: name });
const container = (of: object) => ({
  spec: {
    template: {
      spec: {
        containers: [
          {
            name: 'nginx',
            image: 'nginx',
            ports: [{ containerPort: 80 }],
            readinessProbe: probe,
            resources: { requests: { cpu: '50m', memory: '64Mi' } },
            ...of,
          },
        ],
      },
    },
  },
});
