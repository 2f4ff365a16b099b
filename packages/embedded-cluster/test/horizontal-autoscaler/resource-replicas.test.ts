import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wishOf } from '../../src/horizontal-autoscaler/metric-replicas.ts';
import { replicasFor } from '../../src/horizontal-autoscaler/resource-replicas.ts';
import type { MetricTarget } from '../../src/kubernetes/horizontal-autoscaler.ts';
import type { Pod } from '../../src/kubernetes/resources.ts';
import * as objects from '../support/objects.ts';

const at = Date.parse('2026-01-01T01:00:00Z');
const long = '2026-01-01T00:00:00Z';

/** What a pod uses, in thousandths of a core; undefined: it is not measured. */
interface Using {
  readonly uses?: number;
  readonly phase?: 'Pending' | 'Running' | 'Failed';
  readonly ready?: 'True' | 'False';
  readonly since?: string;
  readonly startTime?: string;
  readonly request?: string;
}

const podOf = (using: Using, index: number): Pod => {
  const { phase = 'Running', ready = 'True', since = long, startTime = long, request = '100m' } = using;
  const resources = request === '' ? {} : { requests: { cpu: request } };
  return {
    ...objects.pod(`p${index}`, { containers: [{ name: 'web', image: 'shop', resources }] }),
    status: { phase, startTime, conditions: [{ type: 'Ready', status: ready, lastTransitionTime: since }] },
  };
};

const half: MetricTarget = { type: 'Utilization', averageUtilization: 50 };

function measured(using: readonly Using[]) {
  const pods = using.map(podOf);
  const usageOf = (pod: Pod) => {
    const uses = using[pods.indexOf(pod)]?.uses;
    return uses && { endedAt: at, windowSeconds: 15, containers: [{ name: 'web', cores: uses / 1000 }] };
  };
  return { pods, usageOf: (pod: Pod) => usageOf(pod) || undefined, currentReplicas: using.length, at };
}

const replicas = (using: readonly Using[], target = half) => {
  const proposal = replicasFor(target, measured(using));
  return 'failure' in proposal ? proposal.failure : proposal.replicas;
};

test('the replicas are multiplied by what is used over what is wanted, rounded up (Kubernetes, "Algorithm details")', () => {
  const average: MetricTarget = { type: 'AverageValue', averageValue: '100m' };
  assert.equal(replicas([{ uses: 200 }, { uses: 200 }], average), 4, 'the documentation’s 200m for 100m doubles');
  assert.equal(replicas([{ uses: 50 }, { uses: 50 }], average), 1, 'and 50m halves');
  assert.equal(replicas([{ uses: 100 }, { uses: 100 }]), 4, '100 % for 50 %');
  assert.equal(replicas([{ uses: 60 }, { uses: 60 }, { uses: 60 }]), 4, '3.6');
});

test('a difference of at most a tenth changes nothing', () => {
  assert.equal(replicas([{ uses: 55 }, { uses: 55 }]), 2);
  assert.equal(replicas([{ uses: 56 }, { uses: 56 }]), 3);
  assert.equal(replicas([{ uses: 45 }, { uses: 45 }, { uses: 45 }, { uses: 45 }, { uses: 45 }]), 5);
  assert.equal(replicas([{ uses: 39 }, { uses: 39 }, { uses: 39 }, { uses: 39 }, { uses: 39 }]), 4);
});

test('on the way down a pod without a measurement is taken to use all it requests, on the way up nothing', () => {
  assert.equal(replicas([{ uses: 10 }, { uses: 10 }, {}]), 3, '120 of 300 would be 80 % of the target');
  assert.equal(replicas([{ uses: 10 }, { uses: 10 }, { uses: 10 }, {}]), 3);
  assert.equal(replicas([{ uses: 100 }, {}]), 2, 'as used as the target: it does not turn round');
  assert.equal(replicas([{ uses: 200 }, {}]), 4);
});

test('pods that start, and pods that go or have failed, do not count as measured', () => {
  const justNow = '2026-01-01T00:59:30Z';
  const starting = { uses: 900, startTime: justNow, ready: 'False', since: justNow } as const;
  assert.equal(replicas([{ uses: 50 }, starting]), 2);
  const inFirstWindow = { uses: 900, startTime: justNow, since: '2026-01-01T00:59:50Z' } as const;
  assert.equal(replicas([{ uses: 50 }, inFirstWindow]), 2, 'its CPU is that of its start');
  assert.equal(replicas([{ uses: 200 }, { phase: 'Pending' }]), 4, 'one that is pending takes its share');
  assert.equal(replicas([{ uses: 50 }, { uses: 900, phase: 'Failed' }]), 2);
  assert.match(String(replicas([starting])), /did not receive metrics for targeted pods \(pods might be unready\)/);
});

test('what is not known is said as kube-controller-manager says it', () => {
  const asked = (using: readonly Using[], resource = 'cpu') => {
    const { replicas: wanted, scalingActive } = wishOf(
      [{ type: 'Resource', resource: { name: resource, target: half } }],
      measured(using),
    );
    return [wanted, scalingActive.status, scalingActive.reason, scalingActive.message];
  };
  const unable = 'the HPA was unable to compute the replica count: failed to get';
  assert.deepEqual(asked([{ uses: 50, request: '' }]), [
    undefined,
    'False',
    'FailedGetResourceMetric',
    `${unable} cpu utilization: missing request for cpu in container web of Pod p0`,
  ]);
  assert.deepEqual(
    asked([{}])[3],
    `${unable} cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API`,
  );
  assert.deepEqual(asked([{ uses: 50 }]), [
    1,
    'True',
    'ValidMetricFound',
    'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
  ]);
  assert.equal(asked([{ uses: 50 }], 'memory')[2], 'FailedGetResourceMetric');
});

test('of several metrics the highest wish counts; one that is not known lets it only rise', () => {
  const cpu = { type: 'Resource', resource: { name: 'cpu', target: half } } as const;
  const lower = {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '1' } },
  } as const;
  const unknown = { type: 'External' } as const;
  const wish = (metrics: Parameters<typeof wishOf>[0], uses: number) => wishOf(metrics, measured([{ uses }, { uses }]));
  assert.equal(wish([lower, cpu], 100).replicas, 4);
  assert.equal(wish([unknown, cpu], 100).replicas, 4);
  const down = wish([unknown, cpu], 10);
  assert.deepEqual([down.replicas, down.scalingActive.reason], [undefined, 'FailedGetExternalMetric']);
});

test('a ContainerResource looks at that container alone', () => {
  const containerResource = { name: 'cpu', container: 'web', target: half } as const;
  const [pod] = measured([{ uses: 100 }]).pods;
  const containers = [
    { name: 'web', cores: 0.1 },
    { name: 'proxy', cores: 0.9 },
  ];
  const usageOf = () => ({ endedAt: at, windowSeconds: 15, containers });
  const both = { pods: [pod as Pod], usageOf, currentReplicas: 1, at };
  const { replicas: wanted, currentMetrics } = wishOf([{ type: 'ContainerResource', containerResource }], both);
  assert.equal(wanted, 2);
  assert.deepEqual(currentMetrics[0]?.containerResource?.current, { averageUtilization: 100, averageValue: '100m' });
});
