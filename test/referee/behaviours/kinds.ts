import type { Behaviour, Names } from './behaviour.ts';
import { app, pool, template } from './objects.ts';
import { isReadyPod } from './stage.ts';

const statefulSet = ({ namespace }: Names, replicas: number): object => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'app', namespace },
  spec: {
    serviceName: 'app',
    replicas,
    selector: { matchLabels: { app: 'app' } },
    template: template({ preStopSeconds: 2 }),
  },
});
const service = ({ namespace }: Names): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'app', namespace },
  spec: { clusterIP: 'None', selector: { app: 'app' }, ports: [{ port: 80 }] },
});

/** Workloads of other kinds than Deployment and DaemonSet. */
export const kinds: readonly Behaviour[] = [
  {
    name: 'stateful-set',
    deed: 'a StatefulSet of 3 is rolled out, one pod after the other from the last',
    before: (of) => [service(of), statefulSet(of, 3)],
    wanted: 3,
    play: async (stage) => {
      const first = new Map(stage.pods().map(({ metadata }) => [metadata.name, metadata.uid]));
      const isNew = (name: string) =>
        stage
          .pods()
          .some((pod) => pod.metadata.name === name && pod.metadata.uid !== first.get(name) && isReadyPod(pod));
      await stage.patch('StatefulSet', 'app', { spec: { template: { metadata: { annotations: { rolled: '1' } } } } });
      await stage.until('the last is new', () => isNew('app-2'), 40);
      stage.note('count of new pods then', ['app-0', 'app-1', 'app-2'].filter(isNew).length);
      await stage.until('all are new', () => ['app-0', 'app-1', 'app-2'].every(isNew), 60);
    },
  },
  {
    name: 'job',
    deed: 'a Job with two completions, one at a time, whose program ends at once',
    before: () => [],
    wanted: 0,
    play: async (stage) => {
      await stage.apply({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'app', namespace: stage.namespace },
        spec: {
          completions: 2,
          template: {
            metadata: { labels: { app: 'app' } },
            spec: {
              restartPolicy: 'Never',
              nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' },
              tolerations: [{ operator: 'Exists' }],
              containers: [{ name: 'nginx', image: 'nginx', command: ['nginx', '-v'] }],
            },
          },
        },
      });
      await stage.until(
        'both have ended',
        () => stage.pods().filter(({ status }) => status.phase === 'Succeeded').length === 2,
        40,
      );
    },
  },
  {
    name: 'autoscaled',
    deed: 'a HorizontalPodAutoscaler with minReplicas 3 for a Deployment of 1',
    before: (of) => app(of, { replicas: 1 }),
    wanted: 1,
    play: async (stage) => {
      await stage.apply({
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'app', namespace: stage.namespace },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'app' },
          minReplicas: 3,
          maxReplicas: 5,
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
          ],
        },
      });
      await stage.until('three are ready', () => stage.readyPods().length === 3, 60);
    },
  },
  {
    name: 'preemption',
    deed: 'a pod of a higher priority finds the only node full, and the pool at its limit',
    before: (of) => [
      pool(of, { spec: { limits: { cpu: '2' } } }),
      ...app(of, { replicas: 1, pool: of.pool, cpu: '1200m' }),
    ],
    wanted: 1,
    play: async (stage) => {
      const [low] = stage.pods();
      for (const object of app(stage, {
        name: 'high',
        replicas: 1,
        pool: stage.pool,
        cpu: '1200m',
        pod: { priorityClassName: 'system-node-critical' },
      }))
        await stage.apply(object);
      await stage.until(
        'the other goes',
        () =>
          !stage
            .pods()
            .some(({ metadata }) => metadata.uid === low.metadata.uid && metadata.deletionTimestamp === undefined),
        20,
      );
      await stage.until(
        'the higher one is ready',
        () => stage.readyPods().some(({ metadata }) => metadata.labels.app === 'high'),
        40,
      );
    },
  },
];
