import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CopiedObject } from '../../src/copy/copy.ts';
import { type ActionKind, readAction } from '../../src/what-if/read-action.ts';
import { whatIf } from '../../src/what-if/what-if.ts';
import { copyOf, deployment, node } from '../support/copied-cluster.ts';

const nodes = [node('one'), node('two', 'b'), node('three', 'c')];

async function answer(objects: readonly CopiedObject[], kind: ActionKind, ...names: readonly string[]) {
  const copy = copyOf(...nodes, ...objects);
  const asked = readAction(copy, { kind, names, zone: undefined });
  assert.ok('action' in asked, JSON.stringify(asked));
  return whatIf(copy, asked.action, '1');
}

/** A Deployment whose spec has these members too. */
const withSpec = (objects: readonly CopiedObject[], more: object): readonly CopiedObject[] =>
  objects.map((one) =>
    one.kind === 'Deployment' ? ({ ...one, spec: { ...Object(one).spec, ...more } } as CopiedObject) : one,
  );

test('a rolling update with a surge stays up, even of one pod; Recreate takes it down for a start', async () => {
  const one = deployment('web', ['one']);
  const surge = await answer(one, 'rollout', 'Deployment/web');
  assert.deepEqual([surge.workloads[0]?.verdict, surge.blockedBy], ['stays', []]);
  assert.ok((surge.durationSeconds ?? 0) > 8, `${surge.durationSeconds} s`);
  const recreated = withSpec(one, { strategy: { type: 'Recreate' } });
  const { workloads } = await answer(recreated, 'rollout', 'deployment/shop/web');
  assert.equal(workloads[0]?.verdict, 'goes-down');
  assert.ok((workloads[0]?.lowerSeconds ?? 0) > 7, JSON.stringify(workloads));
});

test('a surge that finds no room blocks the rolling update, in the words of the scheduler', async () => {
  const large = deployment('large', ['one', 'two', 'three'], { cpu: '3' });
  const unmoved = withSpec(large, { strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } });
  const { workloads, durationSeconds } = await answer(unmoved, 'rollout', 'Deployment/large');
  assert.deepEqual([workloads[0]?.verdict, durationSeconds], ['blocks', null]);
  assert.match(workloads[0]?.because ?? '', /finds no place: 0\/3 nodes are available: 3 Insufficient cpu/);
});

test('scaled up where there is room, and blocked where there is none; scaled down it stays up, to 0 it is down', async () => {
  const web = deployment('web', ['one', 'two'], { cpu: '1' });
  const verdict = async (replicas: string) => (await answer(web, 'scale', 'Deployment/web', replicas)).workloads[0];
  assert.equal((await verdict('5'))?.verdict, 'stays');
  assert.equal((await verdict('50'))?.verdict, 'blocks');
  assert.equal((await verdict('1'))?.verdict, 'stays');
  const none = await verdict('0');
  assert.deepEqual([none?.verdict, none?.downSeconds, none?.because], ['goes-down', null, 'It is scaled to 0.']);
});

test('a workload that is not there, or is of another kind, is a sentence', () => {
  const copy = copyOf(...nodes, ...deployment('web', ['one']));
  const mistakes = (...names: readonly string[]) => readAction(copy, { kind: 'rollout', names, zone: undefined });
  assert.deepEqual(mistakes('Deployment/api'), {
    mistakes: ['there is no Deployment api in the copy: it has shop/web.'],
  });
  assert.match(JSON.stringify(mistakes('web')), /name it KIND\/NAME/);
  assert.match(JSON.stringify(mistakes('DaemonSet/web')), /with Deployment or StatefulSet/);
});
