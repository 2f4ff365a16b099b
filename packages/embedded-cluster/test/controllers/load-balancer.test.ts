import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBalancer } from '../../src/controllers/load-balancer.ts';
import { createLoadBalancers } from '../../src/machines/load-balancers.ts';
import * as objects from '../support/objects.ts';
import { onStage } from '../support/stage.ts';

const system = (name: string) =>
  objects.node(name, { labels: { group: 'system' }, spec: { providerID: `aws:///z/i-${name}` } });

test('a Service of type LoadBalancer gets a hostname under the cloud’s domain after two to three minutes', async () => {
  const balancers = createLoadBalancers(() => 0);
  await onStage(
    [loadBalancer(balancers, 'us-east-1.amazonaws.com')],
    [objects.ingressService, system('a')],
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

test('a load balancer class that nobody implements leaves the Service pending', async () => {
  const balancers = createLoadBalancers(() => 0);
  const of = (name: string, loadBalancerClass: string) => ({
    ...objects.ingressService,
    metadata: { ...objects.ingressService.metadata, name },
    spec: { ...objects.ingressService.spec, loadBalancerClass },
  });
  await onStage(
    [loadBalancer(balancers, 'us-east-1.amazonaws.com')],
    [of('aws', 'service.k8s.aws/nlb'), of('other', 'example.com/other'), system('a')],
    async ({ cluster, until, clock }) => {
      const isActive = async (name: string) =>
        (await cluster.get('Service', { name, namespace: 'default' }))?.status?.loadBalancer?.ingress !== undefined;
      await until(() => isActive('aws'));
      await clock.sleep(600);
      assert.equal(await isActive('other'), false);
    },
  );
});

test('its targets are the Ready nodes with the target labels that are not being disrupted', async () => {
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
    [objects.ingressService, ...nodes],
    async ({ cluster, until, clock }) => {
      const targets = () => balancers.of('default/ingress-nginx-controller')?.targets ?? [];
      await until(async () => targets().length > 0);
      assert.deepEqual(
        targets().map(({ id }) => id),
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

test('where an annotation asks for pods its targets are the ready endpoints, at the port of their containers', async () => {
  const balancers = createLoadBalancers(() => 0);
  const service = {
    ...objects.ingressService,
    metadata: {
      ...objects.ingressService.metadata,
      annotations: { 'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip' },
    },
  };
  const endpoint = (address: string, ready: boolean) => ({ addresses: [address], conditions: { ready } });
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: 'ingress-nginx-controller-a',
      namespace: 'default',
      labels: { 'kubernetes.io/service-name': 'ingress-nginx-controller' },
    },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: [endpoint('10.0.1.5', true), endpoint('10.0.1.6', false)],
  };
  await onStage(
    [loadBalancer(balancers, 'us-east-1.amazonaws.com')],
    [service, system('a'), slice] as never,
    async ({ cluster, until }) => {
      const balancer = () => balancers.of('default/ingress-nginx-controller');
      const ids = () => balancer()?.targets.map(({ id }) => id) ?? [];
      await until(async () => ids().length > 0);
      assert.deepEqual(ids(), ['10.0.1.5']);
      assert.equal(balancer()?.podPorts?.http, 8080);
      const place = { name: slice.metadata.name, namespace: 'default' };
      const endpoints = [endpoint('10.0.1.5', true), endpoint('10.0.1.6', true)];
      await cluster.patch('EndpointSlice', place, { type: 'merge', value: { endpoints } });
      await until(async () => ids().length === 2);
    },
  );
});
