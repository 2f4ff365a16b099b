import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckedRun } from '../../../src/validation/checks/check.ts';
import { ingressAddress } from '../../../src/validation/checks/ingress-address.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { apiSite } from '../../support/api-site.ts';
import { fine, wrong } from '../../support/checked.ts';

const service = (spec: object, ingress?: readonly object[]) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'ingress-nginx', name: 'ingress-nginx-controller' },
  spec: { ports: [{ port: 80 }], ...spec },
  ...(ingress && { status: { loadBalancer: { ingress } } }),
});

const balanced = service({ type: 'LoadBalancer' }, [{ hostname: 'k8s-1.elb.us-east-1.amazonaws.com' }]);

test('the ingress controller’s Service must have an external address under the cloud load-balancer domain', async () => {
  const name = /Service ingress-nginx\/ingress-nginx-controller/;
  await apiSite(async (at) => {
    await wrong(ingressAddress, at, name, /there is no such Service/);
    await at.put(balanced);
    await fine(ingressAddress, at, /type LoadBalancer, address k8s-1\.elb/);
    await wrong(ingressAddress, at, name, /address k8s-1/, { loadBalancerDomain: 'azure.com' });
    await wrong(ingressAddress, at, name, /address k8s-1/, { loadBalancerDomain: 'aws.com' });
  });
  await apiSite(async (at) => {
    await at.put(service({ type: 'ClusterIP' }));
    await wrong(ingressAddress, at, name, /type ClusterIP, no external address/);
  });
  await apiSite(async (at) => {
    await at.put(service({ type: 'LoadBalancer' }));
    await wrong(ingressAddress, at, name, /type LoadBalancer, no external address/);
  });
  await apiSite(async (at) => {
    await at.put(service({ type: 'LoadBalancer', loadBalancerClass: 'example.com/other' }));
    await wrong(ingressAddress, at, name, /type LoadBalancer of class example\.com\/other, no external address/);
  });
  await apiSite(async (at) => {
    await at.put(service({ type: 'LoadBalancer' }, [{ ip: '203.0.113.7' }]));
    await wrong(ingressAddress, at, name, /address 203\.0\.113\.7/);
    await fine(ingressAddress, at, /address 203/, { loadBalancerDomain: '203.0.113.7' });
  });
});

test('a Service of another type is not as expected, whatever address its status has', async () => {
  // An API server of today refuses such a status.
  const odd = service({ type: 'ClusterIP' }, [{ hostname: 'k8s-1.elb.us-east-1.amazonaws.com' }]);
  const site = { cluster: { get: async () => odd, list: async () => [] } };
  const finding = await ingressAddress.look({ site, settings: validationSchema.parse({}) } as unknown as CheckedRun);
  assert.equal(finding.severity, 'error');
  assert.match(finding.observed, /^type ClusterIP, address k8s-1/);
});

test('pods that the Service does not send to are not those of the ingress controller', async () => {
  const selecting = (selector: object) =>
    service({ type: 'LoadBalancer', selector }, [{ hostname: 'k8s-1.elb.us-east-1.amazonaws.com' }]);
  await apiSite(async (at) => {
    await at.put(selecting({ 'app.kubernetes.io/name': 'ingress-nginx', 'app.kubernetes.io/instance': 'public' }));
    await at.put(controllerPod('nginx-1', { 'app.kubernetes.io/instance': 'public' }));
    await fine(ingressAddress, at, /type LoadBalancer, address k8s-1/);
    await at.put(controllerPod('nginx-2', { 'app.kubernetes.io/instance': 'internal' }));
    await wrong(ingressAddress, at, /ingress-nginx-controller/, /; it does not send to nginx-2$/);
  });
  await apiSite(async (at) => {
    await at.put(selecting({ app: 'traefik' }));
    await at.put(controllerPod('nginx-1', {}, 'False'));
    await fine(ingressAddress, at, /type LoadBalancer, address k8s-1/);
  });
});

const controllerPod = (name: string, labels: object, ready = 'True') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    namespace: 'ingress-nginx',
    name,
    labels: { 'app.kubernetes.io/name': 'ingress-nginx', 'app.kubernetes.io/component': 'controller', ...labels },
  },
  spec: { containers: [{ name: 'controller', image: 'ingress-nginx' }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] },
});
