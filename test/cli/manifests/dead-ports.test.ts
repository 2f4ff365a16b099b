import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { container, deployment, ingress, service } from '../../support/own-manifests.ts';
import { ownMistakes } from '../../support/read-own-manifests.ts';

const sending = (port: object) => {
  const backend = { service: { name: 'shop', port } };
  return ingress({
    rules: [{ host: 'shop.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
  });
};
const serving = (...ports: readonly object[]) => {
  const one = service() as unknown as { readonly spec: object };
  return { ...one, spec: { ...one.spec, ports } };
};
const listening = (more: object) => deployment('shop-web', 'shop', { containers: [{ ...container, ...more }] });
const mistakes = (...objects: readonly object[]) => ownMistakes(objects.map((one) => stringify(one)).join('---\n'));
const withoutLines = (all: readonly string[]) => all.map((one) => one.replace(/^own\.yaml:(\d+): /, ''));

test('an Ingress that sends to a port that its Service does not have is reported at that port, with those that it has', async () => {
  const [told, ...more] = await mistakes(
    listening({}),
    serving({ name: 'web', port: 80, targetPort: 'http' }, { name: 'admin', port: 81, targetPort: 8080 }),
    sending({ number: 8080 }),
  );
  assert.deepEqual(more, []);
  assert.match(told ?? '', /^own\.yaml:\d+: /);
  const field = 'spec.rules[0].http.paths[0].backend.service.port';
  assert.deepEqual(withoutLines([told ?? '']), [
    `${field}: Service shop has no port 8080: write one that it has: 80 (web), 81 (admin).`,
  ]);
  assert.deepEqual(
    await mistakes(listening({}), serving({ name: 'web', port: 80, targetPort: 'http' }), sending({ name: 'web' })),
    [],
  );
});

test('an HTTPRoute is reported as it is written', async () => {
  const route = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'front' },
    spec: { rules: [{ backendRefs: [{ name: 'shop', port: 90 }] }] },
  };
  assert.deepEqual(withoutLines(await mistakes(listening({}), service(), route)), [
    'spec.rules: Service shop has no port 90: write one that it has: 80.',
  ]);
});

test('a targetPort that no container names is reported at the Service', async () => {
  const to = (targetPort: unknown, more: object = {}) =>
    mistakes(listening(more), serving({ port: 80, targetPort }), sending({ number: 80 }));
  const said = (port: string) =>
    `spec.ports[0].targetPort: no container of Deployment shop-web names the port ${port}, but 8080 (http): write one of theirs, or name it in the container’s ports.`;
  assert.deepEqual(withoutLines(await to('web')), [said('web')]);
  assert.deepEqual(withoutLines(await to(9090)), [said('9090')]);
  assert.deepEqual(await to(8080), []);
  assert.deepEqual(await to('http'), []);
  const probed = { readinessProbe: { httpGet: { path: '/', port: 9090 } } };
  assert.deepEqual(await to(9090, probed), [], 'a probe asks there');
  const unnamed = { ports: [], readinessProbe: undefined };
  assert.deepEqual(await to(9090, unnamed), [], 'ports need not be named');
});
