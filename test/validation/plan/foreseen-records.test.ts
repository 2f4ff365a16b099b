import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foreseenRecords } from '../../../src/validation/plan/plan-site.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { apiSite } from '../../support/api-site.ts';

const settings = validationSchema.parse({});
const balancer = (hostname: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'ingress-nginx', name: 'ingress-nginx-controller' },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  status: { loadBalancer: { ingress: [{ hostname }] } },
});
const automation = (...args: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'external-dns', name: 'external-dns', labels: { 'app.kubernetes.io/name': 'external-dns' } },
  spec: { containers: [{ name: 'external-dns', image: 'external-dns', args }] },
});

const foreseen = (hostname: string, ...args: readonly string[]) => {
  const types: (readonly [string, number | null])[] = [];
  const done = apiSite(async ({ cluster, put }) => {
    await put(balancer(hostname), automation('--provider=aws', ...args));
    for (const { type, ttlSeconds } of await foreseenRecords(cluster, settings)) types.push([type, ttlSeconds]);
  });
  return done.then(() => types);
};

test('a load balancer of AWS gets aliases A and AAAA, unless external-dns prefers a CNAME', async () => {
  const aliases = [
    ['A', null],
    ['AAAA', null],
  ];
  assert.deepEqual(await foreseen('k8s-1.elb.us-east-1.amazonaws.com'), aliases);
  assert.deepEqual(await foreseen('k8s-1-1234.us-east-1.elb.amazonaws.com'), aliases);
  const name = [['CNAME', settings.dns.ttl]];
  assert.deepEqual(await foreseen('k8s-1.elb.us-east-1.amazonaws.com', '--aws-prefer-cname'), name);
  assert.deepEqual(await foreseen('lb.example.net'), name);
});
