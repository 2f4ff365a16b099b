import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymized } from '../../src/copy/anonymize.ts';
import type { CopiedObject, Copy } from '../../src/copy/copy.ts';
import { snapshotText } from '../../src/copy/snapshot-text.ts';
import { whatIf } from '../../src/what-if/what-if.ts';
import { copyOf, deployment, node, pod } from '../support/copied-cluster.ts';

const object = (apiVersion: string, kind: string, name: string, rest: object) =>
  ({ apiVersion, kind, metadata: { name, namespace: 'acme-shop', uid: `${kind}-1` }, ...rest }) as CopiedObject;

/** Names of the owner's wherever a copy has room for one. */
const telling: readonly CopiedObject[] = [
  node('ip-10.acme', 'eu-1a', {
    providerID: 'aws:///eu-1a/i-acme',
    taints: [{ key: 'acme.com/for', value: 'apollo', effect: 'NoSchedule' }],
  }),
  object('apps/v1', 'StatefulSet', 'v2-apollo', {
    spec: {
      serviceName: 'apollo',
      selector: { matchLabels: { 'acme.com/app': 'apollo' } },
      template: {
        metadata: { labels: { 'acme.com/app': 'Apollo' } },
        spec: {
          nodeSelector: { 'acme-pool': 'apollo' },
          tolerations: [{ key: 'acme.com/for', operator: 'Equal', value: 'apollo' }],
          readinessGates: [{ conditionType: 'acme.com/ready' }],
          topologySpreadConstraints: [
            {
              topologyKey: 'acme.com/rack',
              labelSelector: { matchExpressions: [{ key: 'acme', operator: 'In', values: ['apollo'] }] },
            },
          ],
          containers: [
            {
              name: 'apollo',
              image: 'registry.acme.com/apollo:1',
              resources: { requests: { cpu: '1', 'acme.com/gpu': '1' } },
            },
          ],
          volumes: [{ name: 'apollo', persistentVolumeClaim: { claimName: 'apollo-data' } }],
        },
      },
      volumeClaimTemplates: [{ metadata: { name: 'apollo' }, spec: { storageClassName: 'acme' } }],
    },
  }),
  object('v1', 'PersistentVolumeClaim', 'apollo-v2-apollo-0', { spec: { volumeName: 'pvc-acme' } }),
  object('networking.k8s.io/v1', 'Ingress', 'apollo', {
    spec: {
      ingressClassName: 'acme',
      tls: [{ hosts: ['apollo.acme.com'] }],
      rules: [
        {
          host: 'apollo.acme.com',
          http: { paths: [{ path: '/apollo', backend: { service: { name: 'apollo', port: { name: 'acme' } } } }] },
        },
      ],
    },
  }),
  pod('v2-apollo-0', 'ip-10.acme', {
    apiVersion: 'acme.com/v1',
    kind: 'Postgres',
    name: 'apollo',
    uid: 'x',
    controller: true,
  }),
];
const textOf = (copy: Copy): string => [...snapshotText({ ...copy, kindsRead: [...copy.objects.keys()] })].join('');

test('no name of the owner’s is in an anonymized copy, and what belongs together still does', () => {
  const copy = anonymized({ ...copyOf(...telling), namespaces: ['acme-shop'] });
  assert.doesNotMatch(textOf(copy), /acme|apollo/i);
  const [set, claim, hidden] = ['StatefulSet', 'PersistentVolumeClaim', 'Pod'].map(
    (kind) => copy.objects.get(kind)?.[0],
  );
  assert.equal(hidden?.metadata.name, `${set?.metadata.name}-0`);
  assert.ok(claim?.metadata.name.endsWith(`-${set?.metadata.name}-0`), claim?.metadata.name);
  assert.equal(Object(hidden).spec.nodeName, copy.objects.get('Node')?.[0]?.metadata.name);
  assert.match(Object(copy.objects.get('Node')?.[0]).spec.providerID, /^aws:\/\/\/eu-1a\/x/);
});

test('an anonymized copy is answered as the copy itself', async () => {
  const copy = copyOf(
    ...[node('one'), node('two', 'b'), node('three', 'c')],
    ...deployment('single', ['one']),
    ...deployment('locked', ['one', 'two'], { budget: { minAvailable: 2 } }),
    ...deployment('large', ['one', 'two', 'three'], { cpu: '3' }),
    ...deployment('bound', ['one'], { more: { nodeSelector: { 'topology.kubernetes.io/zone': 'a' } } }),
  );
  const hidden = anonymized(copy);
  const answers = await Promise.all(
    [copy, hidden].map(async (one) => {
      const [first] = one.objects.get('Node') ?? [];
      const answer = await whatIf(one, { kind: 'drain', nodes: [first?.metadata.name ?? ''] }, '1');
      return answer.workloads.map(({ verdict, kind }) => `${kind} ${verdict}`);
    }),
  );
  assert.deepEqual(answers[0], answers[1]);
  assert.equal(new Set(answers[0]).size, 3, String(answers[0]));
});
