import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownPorts } from '../../src/kubelet/listening.ts';
import type { Pod, Service } from '../../src/kubernetes/resources.ts';
import type { Container } from '../../src/kubernetes/specs.ts';

const service = (targetPort: number | string | undefined, selector = { app: 'shop' }, namespace = 'default') =>
  ({ metadata: { name: 's', namespace }, spec: { selector, ports: [{ port: 80, targetPort }] } }) as unknown as Service;

const portsOf = (containers: readonly Partial<Container>[], ...services: readonly Service[]) => {
  const pod = { metadata: { namespace: 'default', labels: { app: 'shop' } }, spec: { containers } } as unknown as Pod;
  return ownPorts({ name: 'web', image: 'acme/shop:1', ...containers[0] } as Container, pod, services);
};

test('a container of unknown content listens on the ports that it names and that its probes ask', () => {
  const ports = [{ containerPort: 8080 }];
  const readinessProbe = { httpGet: { path: '/', port: 9090 } };
  assert.deepEqual(portsOf([{ ports, readinessProbe }]), [8080, 9090]);
  assert.deepEqual(portsOf([{ ports, livenessProbe: { tcpSocket: { port: 8080 } } }]), [8080]);
});

test('in a pod that names no port the containers listen where the Services of the pod send', () => {
  assert.deepEqual(portsOf([{}], service(3000)), [3000]);
  assert.deepEqual(portsOf([{}], service(undefined)), [80]);
  assert.deepEqual(portsOf([{}, { ports: [{ containerPort: 8080 }] }], service(3000)), []);
  for (const away of [service(3000, { app: 'other' }), service(3000, { app: 'shop' }, 'other')])
    assert.deepEqual(portsOf([{}], away), portsOf([{}]));
});

test('a part of the cluster itself listens where its program does', () => {
  const image = 'registry.k8s.io/ingress-nginx/controller:v1.15.1';
  assert.ok(portsOf([{ image, ports: [] }]).includes(80));
});
