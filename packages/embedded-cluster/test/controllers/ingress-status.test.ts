import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dnsAutomation } from '../../src/controllers/dns-automation.ts';
import { ingressStatus } from '../../src/controllers/ingress-status.ts';
import { createZone } from '../../src/dns/zone.ts';
import * as objects from '../support/objects.ts';
import { onStage } from '../support/stage.ts';

const address = 'lb.elb.us-east-1.amazonaws.com';

test('the load balancer’s hostname is in the Ingress within a minute, and in the zone within another', async () => {
  let now = 0;
  const zone = createZone({
    name: 'example.com',
    now: () => now,
    negativeTtlSeconds: 60,
    propagationSeconds: () => 20,
  });
  const service = { ...objects.ingressService, status: { loadBalancer: { ingress: [{ hostname: address }] } } };
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
    assert.deepEqual(other?.status?.loadBalancer, {}, 'it is of another class');
    assert.ok((await until(async () => zone.list().length === 2)) <= 60);
    zone.change(zone.list().map((set) => ({ action: 'delete', set })));
    const healed = await until(async () => zone.list().length === 2);
    assert.ok(healed <= 60.1, `a deleted record is back after ${healed} s`);
  });
});
