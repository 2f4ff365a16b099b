import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inGoOrder } from '../../../src/api-server/decoding/go-order.ts';

const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
const object = {
  spec: {
    template: {
      spec: { restartPolicy: 'Always', containers: [{ imagePullPolicy: 'Always', env: [], ports: [], name: 'web' }] },
    },
    selector: { matchLabels: { b: '1', a: '2' } },
    replicas: 2,
  },
  metadata: { labels: { b: '1', a: '2' }, uid: 'u', name: 'shop' },
  kind: 'Deployment',
  apiVersion: 'apps/v1',
};

test('members have the order of Go’s struct, and those of maps and where the patch has been that of their names', () => {
  const shown = inGoOrder(object, deployment, { type: 'merge', value: { spec: { replicas: 2 } } });
  assert.equal(
    JSON.stringify(shown),
    '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"shop","uid":"u","labels":{"a":"2","b":"1"}},' +
      '"spec":{"replicas":2,"selector":{"matchLabels":{"a":"2","b":"1"}},"template":{"spec":{"containers":' +
      '[{"name":"web","ports":[],"env":[],"imagePullPolicy":"Always"}],"restartPolicy":"Always"}}}}',
  );
});

test('a JSON patch has been in each object above what it changes', () => {
  const patch = { type: 'json', value: [{ op: 'add', path: '/spec/template/spec/x', value: 1 }] } as const;
  const shown = inGoOrder(
    { spec: { template: { spec: { restartPolicy: 'Always', dnsPolicy: 'x' } } } },
    deployment,
    patch,
  );
  assert.equal(JSON.stringify(shown), '{"spec":{"template":{"spec":{"dnsPolicy":"x","restartPolicy":"Always"}}}}');
});

test('nothing is lost, whatever the object and the patch', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (any, value) => {
        const before = JSON.parse(JSON.stringify(any));
        assert.deepEqual(
          inGoOrder(before, deployment, { type: 'merge', value: JSON.parse(JSON.stringify(value)) }),
          before,
        );
        assert.deepEqual(inGoOrder(before, { apiVersion: 'x/v1', kind: 'Y' }, { type: 'merge', value: {} }), before);
      },
    ),
  );
});
