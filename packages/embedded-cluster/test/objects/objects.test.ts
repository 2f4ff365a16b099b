import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { frozen, sameJson, textOf } from '../../src/objects/json.ts';
import { changesKept, createObjects, type StoredObject } from '../../src/objects/objects.ts';

const pod = (name: string, nodeName?: string): StoredObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { nodeName, containers: [{ name: 'nginx' }] },
});

test('every version is deeply frozen and has the next resource version', () => {
  const objects = createObjects();
  const first = objects.put(pod('a'));
  const second = objects.put({ ...first, status: { phase: 'Running' } });
  assert.deepEqual(
    [first, second].map(({ metadata }) => metadata.resourceVersion),
    ['1', '2'],
  );
  assert.ok(Object.isFrozen(second) && Object.isFrozen(second.status) && Object.isFrozen(second.spec?.containers));
  assert.equal(second.spec, first.spec, 'what did not change is the same object');
  assert.equal(objects.get('Pod', 'default', 'a'), second);
});

test('objects are listed by namespace and name, and pods by their node', () => {
  const objects = createObjects();
  for (const name of ['c', 'a', 'b']) objects.put(pod(name, name === 'b' ? 'node-b' : 'node-a'));
  objects.put({ ...pod('a'), metadata: { name: 'a', namespace: 'another' } });
  const names = (list: readonly StoredObject[]) => list.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  assert.deepEqual(names(objects.list('Pod')), ['another/a', 'default/a', 'default/b', 'default/c']);
  assert.deepEqual(names(objects.list('Pod', 'default')), ['default/a', 'default/b', 'default/c']);
  assert.deepEqual(names(objects.podsOn('node-a')), ['default/a', 'default/c']);
  objects.put(pod('c', 'node-b'));
  objects.remove(pod('b'));
  assert.deepEqual(names(objects.podsOn('node-a')), ['default/a']);
  assert.deepEqual(names(objects.podsOn('node-b')), ['default/c']);
});

test('a listener gets every change in order, with the version before it, until it stops', () => {
  const objects = createObjects();
  const events: string[] = [];
  const stop = objects.follow('Pod', ({ type, object, before }) =>
    events.push(`${type} ${object.metadata.resourceVersion} after ${before?.metadata.resourceVersion}`),
  );
  const first = objects.put(pod('a'));
  objects.remove(objects.put({ ...first, status: { phase: 'Running' } }));
  stop();
  objects.put(pod('a'));
  assert.deepEqual(events, ['ADDED 1 after undefined', 'MODIFIED 2 after 1', 'DELETED 3 after 2']);
});

test('the changes after a revision are kept, and undefined if some are no longer kept', () => {
  const objects = createObjects();
  for (let i = 0; i < 2 * changesKept + 1; i += 1) objects.put({ ...pod('a'), status: { i } });
  const newest = objects.revision();
  assert.equal(objects.since('Pod', newest - 10)?.length, 10);
  assert.deepEqual(objects.since('Pod', newest), []);
  assert.equal(objects.since('Pod', changesKept)?.length, changesKept + 1);
  assert.equal(objects.since('Pod', changesKept - 1), undefined);
  assert.deepEqual(objects.since('Node', 1), []);
});

test('a load restores objects, resource versions and indexes', () => {
  const [objects, again] = [createObjects(), createObjects()];
  for (const name of ['b', 'a']) objects.put(pod(name, 'node-a'));
  again.load(JSON.parse(JSON.stringify(objects.save())));
  assert.deepEqual(again.save(), objects.save());
  assert.equal(again.podsOn('node-a').length, 2);
  assert.equal(again.put(pod('c')).metadata.resourceVersion, '3');
  assert.equal(again.since('Pod', 1), undefined, 'changes of before the load are forgotten');
});

/** JSON without the key `__proto__`, which no object of Kubernetes has. */
const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'));

test('a frozen copy equals its source and shares every equal part with the version before it', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const first = frozen(before);
      assert.deepEqual(first, before);
      assert.equal(frozen(structuredClone(before), first), first);
      assert.deepEqual(frozen(after, first), after);
      assert.equal(sameJson(before, after), isDeepEqual(before, after));
    }),
  );
});

function isDeepEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}

test('a branch that did not change is shared by two versions, and undefined members are left out', () => {
  const before = frozen({ spec: { containers: [{ name: 'a' }, { name: 'b' }] }, status: { phase: 'Pending' } });
  const after = frozen(
    { spec: { containers: [{ name: 'a' }, { name: 'c' }] }, status: { phase: 'Pending', ip: undefined } },
    before,
  );
  assert.equal(after.status, before.status);
  assert.equal(after.spec.containers[0], before.spec.containers[0]);
  assert.notEqual(after.spec, before.spec);
  assert.equal(textOf(after), '{"spec":{"containers":[{"name":"a"},{"name":"c"}]},"status":{"phase":"Pending"}}');
});
