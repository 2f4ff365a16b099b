import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../src/kubernetes/resources.ts';
import { environmentOf, shownFields, volumeFiles } from '../../src/programs/run-programs.ts';

const start = 'holdfast.dev/load-starts-at';
const container = {
  name: 'load',
  image: 'holdfast',
  env: [
    { name: 'LEVEL', value: 'debug' },
    { name: 'INDEX', valueFrom: { fieldRef: { fieldPath: "metadata.labels['index']" } } },
    { name: 'ABSENT', valueFrom: { fieldRef: { fieldPath: "metadata.labels['none']" } } },
    { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'x', key: 'y' } } },
  ],
  volumeMounts: [
    { name: 'start', mountPath: '/etc/start' },
    { name: 'tmp', mountPath: '/tmp' },
  ],
};
const podWith = (annotations: Readonly<Record<string, string>> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'load-0', labels: { index: '3' }, annotations },
  spec: {
    containers: [container],
    volumes: [
      {
        name: 'start',
        downwardAPI: { items: [{ path: 'at', fieldRef: { fieldPath: `metadata.annotations['${start}']` } }] },
      },
      { name: 'tmp', emptyDir: {} },
    ],
  },
});

test('a container has the literal values of its environment and the fields of its pod, and nothing that is not known', () => {
  assert.deepEqual(environmentOf(podWith(), container), { LEVEL: 'debug', INDEX: '3' });
  assert.deepEqual([...shownFields(podWith(), container)], [['/etc/start/at', `metadata.annotations['${start}']`]]);
});

test('a file of a downward API volume has what the pod has once its kubelet has written it', () => {
  let pod = podWith();
  const written: (() => void)[] = [];
  const textOf = volumeFiles({
    spec: container,
    pod: () => pod,
    afterRefresh: (work) => void written.push(work),
  });
  const read = () => textOf('/etc/start/at');
  assert.equal(read(), '');
  pod = podWith({ [start]: '2026-11-27T10:00:00Z' });
  assert.deepEqual([read(), read()], ['', '']);
  assert.equal(written.length, 1, 'one change is written once');
  written[0]?.();
  assert.equal(read(), '2026-11-27T10:00:00Z');
  assert.equal(textOf('/tmp/own'), undefined);
});
