import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../../../src/cluster/kinds.ts';
import type { Deployment } from '../../../src/cluster/resources.ts';
import type { Container } from '../../../src/cluster/specs.ts';
import type { Audited } from '../../../src/validation/audit/audited.ts';
import {
  apart,
  audited,
  budget,
  changed,
  container,
  containers,
  expectMet,
  findingOf,
  hardened,
  missed,
  pod,
  podSpec,
  selector,
  settings,
  sleeping,
} from '../../support/audited.ts';

const spec = (over: Partial<Deployment['spec']>): Audited =>
  changed((one) => {
    const { replicas: _, ...rest } = one.spec;
    return { ...one, spec: { ...rest, ...over } };
  });
const ports = [{ containerPort: 80 }];

test('a missed rule is an error if 4.2 requires it, otherwise a warning; a met one has no advice', () => {
  const bare = containers({});
  assert.equal(findingOf(bare, 'readiness-probe').severity, 'error');
  assert.equal(findingOf(bare, 'resource-requests').severity, 'warning');
  const good = findingOf(audited(hardened, apart), 'readiness-probe');
  assert.deepEqual([good.severity, good.advice], ['info', '']);
  assert.equal(findingOf({ ...audited(hardened), ingressController: {} }, 'ingress-shutdown').severity, 'warning');
});

test('a Deployment without a number of replicas has one', () => {
  expectMet('application-replicas', [
    [false, spec({})],
    [true, spec({ replicas: 2 })],
    [true, spec({ replicas: 3 })],
  ]);
  expectMet('rollout', [[true, spec({})]]);
  assert.match(findingOf(spec({}), 'rollout').observed, /of 1 may/);
  assert.match(findingOf(spec({}), 'disruption-budget').observed, /wants 1 of 1/);
});

const scaled = (one: Audited, ...least: readonly (number | undefined)[]): Audited => ({
  ...one,
  application: {
    ...one.application,
    autoscalers: least.map((minReplicas, n) => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: `hpa-${n}` },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'nginx-test' },
        maxReplicas: 9,
        ...(minReplicas === undefined ? {} : { minReplicas }),
      },
    })),
  },
});

test('a Deployment that leaves its replicas to an autoscaler has as many as its minimum', () => {
  expectMet('application-replicas', [
    [true, scaled(spec({}), 3)],
    [true, scaled(spec({}), 1, 2)],
    [false, scaled(spec({}), 1)],
    [false, scaled(spec({}), undefined)],
    [false, scaled(spec({ replicas: 1 }), 3)],
  ]);
  expectMet('disruption-budget', [
    [true, scaled(spec({}), 3)],
    [false, scaled(spec({}), 1)],
    [true, scaled(spec({ replicas: 2 }), 1)],
  ]);
  assert.match(findingOf(scaled(spec({}), 3), 'disruption-budget').observed, /wants 1 of 3/);
  assert.match(findingOf(scaled(spec({}), 3), 'rollout').observed, /of 3 may/);
});

test('a budget counts if it selects the pods, and must keep one pod and allow one disruption', () => {
  const stranger = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'other' } };
  const other = { ...stranger, spec: { minAvailable: 1, selector: { matchLabels: { app: 'other' } } } } as Resource;
  expectMet('disruption-budget', [
    [true, audited([...hardened, other], apart)],
    [true, budget({ maxUnavailable: 1, selector })],
    [true, budget({ minAvailable: '50%', selector })],
    [false, budget({ minAvailable: 0, selector })],
    [false, budget({ maxUnavailable: 0, selector })],
    [false, budget({ minAvailable: 1, selector: { matchLabels: { app: 'other' } } })],
  ]);
  const strange = budget({ minAvailable: 1, selector: { matchLabels: { app: 'other' } } });
  assert.equal(findingOf(strange, 'disruption-budget').observed, 'none');
  const status = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
  const idle = findingOf(
    budget({ minAvailable: 1, selector: { matchLabels: { app: 'other' } } }, status),
    'disruption-budget',
  );
  assert.match(idle.observed, /^PodDisruptionBudget .* selects no pod$/);
  assert.equal(idle.because?.field, 'spec.selector.matchLabels');
  assert.match(findingOf(budget({ minAvailable: 0, selector }), 'disruption-budget').advice, /at least 1/);
});

test('a container that serves needs a preStop of 5 s; a sidecar does not', () => {
  expectMet('graceful-termination', [
    [true, containers(sleeping(5))],
    [false, containers(sleeping(4))],
    [true, containers({ ports, ...sleeping(5) }, {})],
    [false, containers({ ports, ...sleeping(4) }, sleeping(9))],
    [false, containers({ ports }, { ports, ...sleeping(5) })],
    [false, containers({})],
  ]);
});

test('the grace period must hold the longest preStop and one request of the monitor’s timeout', () => {
  const timeout = settings.monitor.timeout;
  const graced = (grace: number, ...all: readonly Partial<Container>[]): Audited => {
    const one = containers(...all);
    const { workload } = one.application;
    const { template } = workload.spec;
    const inner = { ...template.spec, terminationGracePeriodSeconds: grace };
    const edited = { ...workload, spec: { ...workload.spec, template: { ...template, spec: inner } } };
    return { ...one, application: { ...one.application, workload: edited as Audited['application']['workload'] } };
  };
  expectMet('termination-grace', [
    [true, graced(7 + timeout, sleeping(7))],
    [false, graced(6 + timeout, sleeping(7))],
    [false, graced(6 + timeout, sleeping(7), sleeping(1))],
    [true, graced(timeout, {})],
    [false, graced(timeout - 1, {})],
  ]);
  const unsaid = (preStop: number) =>
    podSpec({
      terminationGracePeriodSeconds: undefined as never,
      containers: [{ name: 'c', image: 'i:1', ...sleeping(preStop) }],
    });
  expectMet('termination-grace', [
    [true, unsaid(30 - timeout)],
    [false, unsaid(31 - timeout)],
  ]);
});

test('every container that serves needs a readiness probe; if none names a port, every container', () => {
  const readinessProbe = { httpGet: { path: '/', port: 80 } } as unknown as NonNullable<Container['readinessProbe']>;
  expectMet('readiness-probe', [
    [true, containers({ ports, readinessProbe }, {})],
    [false, containers({ ports }, { readinessProbe })],
    [false, containers({ ports, readinessProbe }, { ports })],
    [false, containers({ readinessProbe }, {})],
    [true, containers({ readinessProbe })],
  ]);
});

test('replicas are kept apart by what the scheduler must do, not by a preference', () => {
  const topologyKey = 'kubernetes.io/hostname';
  const constraint = (whenUnsatisfiable: string) =>
    podSpec({ topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable }] as never });
  const anti = (rule: string) =>
    podSpec({ topologySpreadConstraints: [], affinity: { podAntiAffinity: { [rule]: [{ topologyKey }] } } as never });
  expectMet('spread', [
    [true, constraint('DoNotSchedule')],
    [false, constraint('ScheduleAnyway')],
    [true, anti('requiredDuringSchedulingIgnoredDuringExecution')],
    [false, anti('preferredDuringSchedulingIgnoredDuringExecution')],
  ]);
});

test('only ready pods count as replicas at this moment', () => {
  const unready = {
    ...pod('b', 'n2'),
    status: { conditions: [{ type: 'Ready', status: 'False' }] },
  } as (typeof apart.pods)[0];
  const running = (...pods: typeof apart.pods) => audited(hardened, { ...apart, pods });
  expectMet('replicas-apart', [
    [true, running(pod('a', 'n1'), pod('b', 'n2'))],
    [false, running(pod('a', 'n1'), unready)],
    [false, running()],
  ]);
  assert.equal(findingOf(running(unready), 'replicas-apart').observed, 'no ready pod');
  const swapped = audited(hardened, { ...apart, ingressPods: [] });
  assert.deepEqual(
    [missed(swapped).includes('replicas-apart'), missed(swapped).includes('ingress-apart')],
    [false, true],
  );
});

test('pods are bound to the pool by a node selector or a required node affinity', () => {
  const affinity = (key: string) =>
    podSpec({
      nodeSelector: {},
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: ['x'] }] }],
          },
        },
      },
    });
  const selected = (key: string) => podSpec({ nodeSelector: { [key]: 'x' } });
  expectMet('placement', [
    ...['role', 'kubernetes.io/arch', 'karpenter.sh/nodepool'].flatMap(
      (key) =>
        [
          [true, selected(key)],
          [true, affinity(key)],
        ] as const,
    ),
    [false, selected('zone')],
    [false, affinity('zone')],
  ]);
});

test('every container needs requests for cpu and memory', () => {
  const requests = (all: Record<string, string>): Partial<Container> => ({ resources: { requests: all } });
  const whole = requests({ cpu: '1', memory: '1Gi' });
  expectMet('resource-requests', [
    [true, containers(whole)],
    [false, containers(requests({ cpu: '1' }))],
    [false, containers(requests({ memory: '1Gi' }))],
    [false, containers(whole, {})],
  ]);
});

test('an image has one version by a tag other than latest, or by a digest; a registry’s port is no tag', () => {
  const image = (text: string) => container({ image: text });
  expectMet('image-tag', [
    [true, image('nginx:1.29')],
    [true, image('registry:5000/nginx:1.29')],
    [true, image('nginx@sha256:00')],
    [true, image('nginx:latest@sha256:00')],
    [false, image('nginx')],
    [false, image('registry:5000/nginx')],
    [false, image('nginx:latest')],
    [false, containers({ image: 'nginx:1' }, { image: 'nginx' })],
  ]);
});

test('a rollout must leave a pod: percentages are rounded down, and 25% is the default', () => {
  const strategy = (maxUnavailable: number | string, replicas = 2) =>
    spec({ replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable } } });
  expectMet('rollout', [
    [true, strategy(1)],
    [false, strategy(2)],
    [true, strategy('99%')],
    [false, strategy('100%')],
    [true, spec({ replicas: 2 })],
    [false, spec({ replicas: 2, strategy: { type: 'Recreate' } })],
  ]);
  assert.match(findingOf(spec({ replicas: 8 }), 'rollout').observed, /^2 of 8/);
});

test('the minimum of a HorizontalPodAutoscaler must be two; its default is one', () => {
  const floor = (minReplicas?: number): Audited => {
    const one = audited(hardened, apart);
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx-test' };
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'hpa' },
      spec: { scaleTargetRef, maxReplicas: 5, ...(minReplicas === undefined ? {} : { minReplicas }) },
    } as const;
    return { ...one, application: { ...one.application, autoscalers: [autoscaler] } };
  };
  expectMet('autoscaler-floor', [
    [true, floor(2)],
    [false, floor(1)],
    [false, floor()],
  ]);
});

test('a rollout of a StatefulSet takes one pod away, so that one of two is left', () => {
  const stateful = (replicas: number): Audited => {
    const one = spec({ replicas });
    const workload = { ...one.application.workload, kind: 'StatefulSet' } as Audited['application']['workload'];
    return { ...one, application: { ...one.application, workload } };
  };
  expectMet('rollout', [
    [true, stateful(2)],
    [false, stateful(1)],
  ]);
  assert.match(findingOf(stateful(1), 'rollout').advice, /ends a pod before its successor starts/);
});

test('a DaemonSet has a pod a node: how many is not in a manifest, nothing has to keep them apart, and a rollout takes one away', () => {
  const daemons = (over: object, numberScheduled?: number): Audited => {
    const one = podSpec({ topologySpreadConstraints: [] });
    const status = numberScheduled === undefined ? {} : { status: { desiredNumberScheduled: numberScheduled } };
    const { replicas: _, ...ofDaemons } = one.application.workload.spec as { readonly replicas?: number };
    const workload = { ...one.application.workload, kind: 'DaemonSet', spec: { ...ofDaemons, ...over }, ...status };
    return { ...one, application: { ...one.application, workload: workload as Audited['application']['workload'] } };
  };
  expectMet('application-replicas', [
    [true, daemons({})],
    [true, daemons({}, 2)],
    [false, daemons({}, 1)],
  ]);
  expectMet('spread', [[true, daemons({})]]);
  const rolling = (maxUnavailable: number | string) => ({ updateStrategy: { rollingUpdate: { maxUnavailable } } });
  expectMet('rollout', [
    [true, daemons({}, 2)],
    [false, daemons({}, 1)],
    [true, daemons(rolling('34%'), 3)],
    [false, daemons(rolling('67%'), 3)],
  ]);
  assert.match(findingOf(daemons({}, 1), 'rollout').advice, /updateStrategy/);
});
