import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Service } from '../../../src/cluster/resources.ts';
import { dnsAutomation } from '../../../src/rehearsal/controllers/dns-automation.ts';
import { eventExpiry } from '../../../src/rehearsal/controllers/event-expiry.ts';
import { ingressStatus } from '../../../src/rehearsal/controllers/ingress-status.ts';
import { interruption } from '../../../src/rehearsal/controllers/interruption.ts';
import { leaderElection } from '../../../src/rehearsal/controllers/leader-election.ts';
import { loadBalancer } from '../../../src/rehearsal/controllers/load-balancer.ts';
import { createZone } from '../../../src/rehearsal/dns/zone.ts';
import { createLoadBalancers } from '../../../src/rehearsal/machines/load-balancers.ts';
import * as objects from '../support/objects.ts';
import { onStage } from '../support/stage.ts';

const edge: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'ingress-nginx-controller',
    namespace: 'default',
    annotations: { 'service.beta.kubernetes.io/aws-load-balancer-target-node-labels': 'group=system' },
  },
  spec: { type: 'LoadBalancer', selector: { app: 'edge' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
};
const system = (name: string) =>
  objects.node(name, { labels: { group: 'system' }, spec: { providerID: `aws:///z/i-${name}` } });
const address = 'lb.elb.us-east-1.amazonaws.com';

test('a Service of type LoadBalancer has an address after two to three minutes, under the cloud’s domain', async () => {
  const balancers = createLoadBalancers(() => 0);
  await onStage(
    [loadBalancer(balancers, 'us-east-1.amazonaws.com')],
    [edge, system('a')],
    async ({ cluster, until }) => {
      const hostname = async () => {
        const service = await cluster.get('Service', { name: 'ingress-nginx-controller', namespace: 'default' });
        return service?.status?.loadBalancer?.ingress?.[0]?.hostname;
      };
      const seconds = await until(async () => (await hostname()) !== undefined);
      assert.ok(seconds > 120 && seconds < 182, `${seconds} s`);
      assert.match((await hostname()) ?? '', /^k8s-default-ingressn-[a-z0-9]+\.elb\.us-east-1\.amazonaws\.com$/);
    },
  );
});

test('its targets are the labelled nodes that are Ready and not on their way out', async () => {
  const balancers = createLoadBalancers(() => 0);
  const nodes = [
    system('a'),
    objects.node('unlabelled', { spec: { providerID: 'aws:///z/i-unlabelled' } }),
    objects.node('unready', { labels: { group: 'system' }, ready: false }),
    objects.node('leaving', {
      labels: { group: 'system' },
      spec: { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] },
    }),
  ];
  await onStage(
    [loadBalancer(balancers, 'us-east-1.amazonaws.com')],
    [edge, ...nodes],
    async ({ cluster, until, clock }) => {
      const targets = () => balancers.of('default/ingress-nginx-controller')?.targets ?? [];
      await until(async () => targets().length > 0);
      assert.deepEqual(
        targets().map(({ instanceId }) => instanceId),
        ['i-a'],
      );
      await cluster.create(system('b'));
      await clock.sleep(2);
      const conditions = [{ type: 'Ready', status: 'True' }];
      await cluster.patch(
        'Node',
        { name: 'b' },
        { type: 'merge', value: { status: { conditions } } },
        { subresource: 'status' },
      );
      await until(async () => targets().length === 2);
    },
  );
});

test('the address comes into the Ingress within a minute, and into the zone within another', async () => {
  let now = 0;
  const zone = createZone({
    name: 'example.com',
    now: () => now,
    negativeTtlSeconds: 60,
    propagationSeconds: () => 20,
  });
  const service = { ...edge, status: { loadBalancer: { ingress: [{ hostname: address }] } } };
  const controllers = [ingressStatus('default/ingress-nginx-controller'), dnsAutomation(zone)];
  const { annotations: _, ...metadata } = objects.ingress.metadata;
  const foreign = {
    ...objects.ingress,
    metadata: { ...metadata, name: 'foreign' },
    spec: { ...objects.ingress.spec, ingressClassName: 'alb' },
  };
  await onStage(controllers, [service, objects.ingress, foreign], async ({ cluster, until, clock }) => {
    now = clock.wallAt();
    const status = async () =>
      (await cluster.get('Ingress', { name: 'nginx-test', namespace: 'default' }))?.status?.loadBalancer;
    assert.ok((await until(async () => (await status())?.ingress?.[0]?.hostname === address)) <= 60);
    const other = await cluster.get('Ingress', { name: 'foreign', namespace: 'default' });
    assert.deepEqual(other?.status?.loadBalancer, {}, 'another class is somebody else’s');
    assert.ok((await until(async () => zone.list().length === 2)) <= 60);
    zone.change(zone.list().map((set) => ({ action: 'delete', set })));
    const healed = await until(async () => zone.list().length === 2);
    assert.ok(healed <= 60.1, `a deleted record is back after ${healed} s`);
  });
});

const karpenter = (queue: string) => ({
  ...objects.deployment(0),
  metadata: { name: 'karpenter', namespace: 'kube-system' },
  spec: {
    ...objects.deployment(0).spec,
    template: {
      metadata: { labels: { app: 'nginx-test' } },
      spec: { containers: [{ name: 'c', image: 'karpenter', env: [{ name: 'INTERRUPTION_QUEUE', value: queue }] }] },
    },
  },
});

test('a dying instance’s claim is deleted within seconds where there is a queue, and not at all without one', async () => {
  for (const queue of ['rehearsal', '']) {
    await onStage(
      (machines) => [interruption(machines)],
      [karpenter(queue)],
      async ({ cluster, machines, clock }) => {
        const { id } = machines.launch({
          type: 'r8g.large',
          zone: 'us-east-1a',
          capacityType: 'on-demand',
          labels: {},
          taints: [],
          tags: {},
          bootedWithImages: [],
        });
        const { nodeClassRef } = objects.nodePool.spec.template.spec;
        await cluster.create({
          apiVersion: 'karpenter.sh/v1',
          kind: 'NodeClaim',
          metadata: { name: 'c' },
          spec: { nodeClassRef, requirements: [] },
        });
        await cluster.patch(
          'NodeClaim',
          { name: 'c' },
          { type: 'merge', value: { status: { providerID: `aws:///z/${id}` } } },
          { subresource: 'status' },
        );
        machines.terminate(id);
        await clock.sleep(6);
        const claim = await cluster.get('NodeClaim', { name: 'c' });
        assert.equal(claim === undefined, queue !== '', `queue "${queue}"`);
        const reasons = (await cluster.list('Event')).map(({ reason }) => reason).sort();
        assert.deepEqual(reasons, queue === '' ? [] : ['InstanceTerminating', 'TerminatingOnInterruption']);
      },
    );
  }
});

test('of two replicas one leads, and when it is gone the other one does', async () => {
  await onStage(
    (machines) => [leaderElection(machines, 'kube-system')],
    [],
    async ({ cluster, machines, until, clock }) => {
      const { id: instanceId } = machines.launch({
        type: 'm8g.large',
        zone: 'us-east-1a',
        capacityType: 'on-demand',
        labels: {},
        taints: [],
        tags: {},
        bootedWithImages: [],
      });
      const run = (name: string) =>
        machines.start({
          id: name,
          podKey: `kube-system/${name}`,
          podUid: name,
          name: 'c',
          image: 'karpenter',
          instanceId,
          address: '10.64.1.1',
          ports: [],
          restarts: 0,
          createdAt: 0,
          startsAt: 0,
          listensAt: 0,
          seenAt: 0,
        });
      const leader = async () =>
        (await cluster.get('Lease', { name: 'karpenter-leader-election', namespace: 'kube-system' }))?.spec;
      run('one');
      run('two');
      await until(async () => (await leader())?.holderIdentity === 'one');
      machines.crash('one', 1);
      const seconds = await until(async () => (await leader())?.holderIdentity === 'two');
      assert.ok(seconds <= 2.1, `${seconds} s`);
      assert.equal((await leader())?.leaseTransitions, 1);
      await clock.sleep(10);
      assert.ok(clock.wallAt() - Date.parse((await leader())?.renewTime ?? '') <= 2000);
    },
  );
});

test('an event is there for an hour', async () => {
  await onStage([eventExpiry], [], async ({ cluster, clock }) => {
    await cluster.create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e', namespace: 'default' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
      type: 'Normal',
      reason: 'Test',
      message: 'm',
    });
    await clock.sleep(3500);
    assert.equal((await cluster.list('Event')).length, 1);
    await clock.sleep(200);
    assert.equal((await cluster.list('Event')).length, 0);
  });
});
