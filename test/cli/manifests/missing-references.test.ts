import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { container, deployment, ingress, service } from '../../support/own-manifests.ts';
import { readOwnManifests } from '../../support/read-own-manifests.ts';

async function notesOf(podSpec: object, ...more: readonly object[]): Promise<readonly string[]> {
  const objects = [deployment('shop-web', 'shop', podSpec), service(), ingress(), ...more];
  const read = await readOwnManifests(objects.map((one) => stringify(one)).join('---\n'));
  assert.ok('notes' in read, JSON.stringify(read));
  return read.notes.map((note) => note.replace(/^own\.yaml:\d+: /, ''));
}
const object = (kind: string, name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name },
  ...more,
});
const without = (what: string, state: string) =>
  `${what} is not among these manifests: unless the cluster has it, the pods of Deployment shop-web stay in ${state}.`;
const volume = (name: string, of: object) => ({ name, ...of });

test('a ConfigMap or a Secret that pods need and that the manifests do not have is reported once, with what the pods would show', async () => {
  const env = [
    { name: 'A', valueFrom: { configMapKeyRef: { name: 'shop', key: 'a' } } },
    { name: 'B', valueFrom: { configMapKeyRef: { name: 'shop', key: 'b' } } },
    { name: 'C', valueFrom: { secretKeyRef: { name: 'keys', key: 'c' } } },
  ];
  const volumes = [
    volume('files', { secret: { secretName: 'files' } }),
    volume('all', {
      projected: { sources: [{ configMap: { name: 'part' } }, { configMap: { name: 'kube-root-ca.crt' } }] },
    }),
  ];
  const { readinessProbe: _, lifecycle: __, ...plain } = container as Record<string, unknown>;
  const initContainers = [{ ...plain, name: 'first', envFrom: [{ secretRef: { name: 'early' } }] }];
  assert.deepEqual(await notesOf({ containers: [{ ...container, env }], initContainers, volumes }), [
    without('Secret early', 'CreateContainerConfigError'),
    without('ConfigMap shop', 'CreateContainerConfigError'),
    without('Secret keys', 'CreateContainerConfigError'),
    without('Secret files', 'ContainerCreating'),
    without('ConfigMap part', 'ContainerCreating'),
  ]);
});

test('optional ones, those that are there, and those that another object makes are not told', async () => {
  const envFrom = [
    { secretRef: { name: 'maybe', optional: true } },
    { secretRef: { name: 'there' } },
    { secretRef: { name: 'sealed' } },
    { secretRef: { name: 'fetched' } },
  ];
  const volumes = [volume('tls', { secret: { secretName: 'issued' } })];
  const custom = (apiVersion: string, kind: string, name: string, spec: object = {}) => ({
    ...object(kind, name, { spec }),
    apiVersion,
  });
  const notes = await notesOf(
    { containers: [{ ...container, envFrom }], volumes },
    object('Secret', 'there'),
    custom('bitnami.com/v1alpha1', 'SealedSecret', 'sealed'),
    custom('external-secrets.io/v1', 'ExternalSecret', 'fetch', { target: { name: 'fetched' } }),
    custom('cert-manager.io/v1', 'Certificate', 'shop', { secretName: 'issued' }),
  );
  assert.deepEqual(
    notes.filter((note) => note.includes('is not among')),
    [],
  );
});

test('one in another namespace is not the pods’ own', async () => {
  const containers = [{ ...container, envFrom: [{ configMapRef: { name: 'shop' } }] }];
  const elsewhere = { ...object('ConfigMap', 'shop'), metadata: { name: 'shop', namespace: 'other' } };
  assert.deepEqual(await notesOf({ containers }, elsewhere), [without('ConfigMap shop', 'CreateContainerConfigError')]);
});
