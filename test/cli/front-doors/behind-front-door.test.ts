import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { behindFrontDoor } from '../../../src/cli/front-doors/behind-front-door.ts';
import type { FrontDoorName } from '../../../src/cli/manifests/front-door.ts';
import { deployment, ingress, route, service } from '../../support/own-manifests.ts';
import { readOwnManifests } from '../../support/read-own-manifests.ts';

const read = async (...objects: readonly object[]) => {
  const own = await readOwnManifests([deployment(), ...objects].map((one) => stringify(one)).join('---\n'));
  assert.ok('frontDoor' in own, JSON.stringify(own));
  return own;
};
const servedBy = async (name: FrontDoorName, ...objects: readonly object[]) => {
  const { located, application, assumedSettings } = behindFrontDoor(await read(...objects), name);
  const found = (kind: string): { metadata: object; spec: Record<string, unknown> } | undefined =>
    located.map(({ object }) => object as never).find((one: { kind: string }) => one.kind === kind);
  return { found, application, assumedSettings };
};
const gateway = (gatewayClassName: string) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'edge' },
  spec: { gatewayClassName, listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
});
const exposed = {
  ...service(),
  spec: { ...Object(service()).spec, type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
};

test('the front door of manifests is that of the class of their way in', async () => {
  const doorOf = async (...objects: readonly object[]) => (await read(...objects)).frontDoor;
  assert.equal(await doorOf(service(), ingress()), 'ingress-nginx');
  assert.equal(await doorOf(service(), ingress({ ingressClassName: 'alb' })), 'alb');
  assert.equal(await doorOf(service(), ingress({ ingressClassName: 'traefik' })), 'traefik');
  assert.equal(await doorOf(service(), gateway('eg'), route), 'envoy-gateway');
  assert.equal(await doorOf(exposed), 'nlb');
});

test('behind an ALB the Ingress goes, and pods of a Service of type ClusterIP are the targets', async () => {
  const check = { 'alb.ingress.kubernetes.io/healthcheck-interval-seconds': '5' };
  const { found, application } = await servedBy('alb', service(), ingress({ ingressClassName: 'alb' }, check));
  assert.equal(found('Ingress'), undefined);
  assert.equal(application.ingress, null);
  assert.equal(found('Service')?.spec.type, 'LoadBalancer');
  const annotations = Object(found('Service')?.metadata).annotations;
  assert.equal(annotations['service.beta.kubernetes.io/aws-load-balancer-type'], 'application');
  assert.equal(annotations['service.beta.kubernetes.io/aws-load-balancer-nlb-target-type'], 'ip');
  assert.equal(annotations['service.beta.kubernetes.io/aws-load-balancer-healthcheck-interval'], '5');
});

test('behind proxies a Service of type LoadBalancer gets an Ingress', async () => {
  const { found, application, assumedSettings } = await servedBy('traefik', exposed);
  assert.equal(found('Service')?.spec.type, 'ClusterIP');
  assert.equal(found('Service')?.spec.externalTrafficPolicy, undefined);
  assert.equal(application.ingress, 'shop-front-door');
  assert.ok(found('Ingress'));
  assert.equal(Object(assumedSettings.ingressController).namespace, 'traefik');
});
